package io.alrai.cn.execute;

import io.alrai.cn.execute.WriteExecutor.PlaceStatement;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.syntax.Identifier;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * UPDATE or DELETE with LIMIT over several places, or one that reads rows of other places: a
 * locking SELECT chooses the rows, then each place writes its own by their primary keys. Inside a
 * transaction.
 */
final class KeyedWriteExecutor {
  private static final int KEYS_OF_A_STATEMENT = 1000;

  private final ExecutorParts parts;
  private final SelectExecutor selects;

  KeyedWriteExecutor(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
  }

  /** Rows of one place that get the same values; empty ones where all do. */
  private record Part(int place, String values) {}

  WriteOutcome run(StatementRun run, Plan.KeyedWrite write, List<ShardPlace> places) {
    Map<Part, List<String>> keys = new LinkedHashMap<>();
    try (RowSource rows = open(run, write.rows(), places)) {
      read(run, write, rows, keys);
    }
    run.shards().takeWarnings();
    List<PlaceStatement> statements = new ArrayList<>();
    for (ShardPlace place : places) {
      keys.forEach((part, mine) -> {
        for (int from = 0; part.place() == place.index() && from < mine.size(); ) {
          int to = Math.min(mine.size(), from + KEYS_OF_A_STATEMENT);
          byte[] sql = statement(run, write, place, part.values(), mine.subList(from, to));
          statements.add(new PlaceStatement(place, sql));
          from = to;
        }
      });
    }
    WriteOutcome outcome = new WriteOutcome(WriteOutcome.isUpdate(run));
    WriteExecutor.answers(run, statements).forEach(outcome::add);
    return outcome;
  }

  private RowSource open(StatementRun run, Plan.KeySource rows, List<ShardPlace> places) {
    return switch (rows) {
      case Plan.KeySource.Merged merged ->
          selects.merged(run, merged.plan(), places, true, new int[1]);
      case Plan.KeySource.Gathered gathered -> selects.gathered(run, gathered.plan());
    };
  }

  /** Keys by what one statement can do, as row literals; ISO 8859-1 stands for bytes. */
  private void read(
      StatementRun run, Plan.KeyedWrite write, RowSource rows, Map<Part, List<String>> keys) {
    PartitionFunction function = write.function();
    int partitionColumns = function.columns().size();
    List<ColumnDefinition> columns = rows.columns();
    LiteralText literals = SessionText.literals(run.session());
    Set<String> seen = new HashSet<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    while (rows.advance()) {
      Row row = rows.row();
      int index =
          parts.router().indexOfStored(function, new RowSlots(columns, row), SessionText.COPIED);
      out.reset();
      int keyEnd = partitionColumns + write.keyColumns().size();
      for (int i = partitionColumns; i < keyEnd; i++) {
        out.write(i == partitionColumns ? '(' : ',');
        literals.append(columns.get(i), row, i, out);
      }
      out.write(')');
      String key = out.toString(StandardCharsets.ISO_8859_1);
      if (!seen.add(key)) {
        continue; // joined with several rows: it is written once
      }
      out.reset();
      for (int i = 0; i < write.assigned().size(); i++) {
        String name = (i == 0 ? "" : ",") + Identifier.quote(write.assigned().get(i)) + "=";
        out.writeBytes(SessionText.encoded(run.session(), name));
        literals.append(columns.get(keyEnd + i), row, keyEnd + i, out);
      }
      Part part = new Part(index, out.toString(StandardCharsets.ISO_8859_1));
      keys.computeIfAbsent(part, any -> new ArrayList<>()).add(key);
    }
  }

  private static byte[] statement(
      StatementRun run, Plan.KeyedWrite write, ShardPlace place, String values, List<String> keys) {
    ByteArrayOutputStream sql = new ByteArrayOutputStream(256);
    sql.writeBytes(PlaceText.render(run, write.head(), place.physicalSchema()));
    if (!values.isEmpty()) {
      sql.writeBytes((values + " WHERE").getBytes(StandardCharsets.ISO_8859_1));
    }
    String condition = " (" + SqlNames.list(write.keyColumns()) + ") IN (";
    sql.writeBytes(SessionText.encoded(run.session(), condition));
    sql.writeBytes(String.join(",", keys).getBytes(StandardCharsets.ISO_8859_1));
    sql.write(')');
    return sql.toByteArray();
  }
}
