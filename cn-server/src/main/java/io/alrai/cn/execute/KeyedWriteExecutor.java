package io.alrai.cn.execute;

import io.alrai.cn.execute.WriteExecutor.PlaceStatement;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * UPDATE or DELETE with LIMIT over several places: a merged locking SELECT chooses the rows, then
 * each place writes its own by their primary keys. Inside a transaction.
 */
final class KeyedWriteExecutor {
  private static final int KEYS_OF_A_STATEMENT = 1000;

  private final ExecutorParts parts;
  private final SelectExecutor selects;

  KeyedWriteExecutor(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
  }

  WriteOutcome run(StatementRun run, Plan.KeyedWrite write, List<ShardPlace> places) {
    Map<Integer, List<String>> keys = new TreeMap<>();
    try (RowSource rows = selects.merged(run, write.selectKeys(), places, true, new int[1])) {
      read(run, write, rows, keys);
    }
    List<PlaceStatement> statements = new ArrayList<>();
    for (ShardPlace place : places) {
      List<String> mine = keys.getOrDefault(place.index(), List.of());
      for (int from = 0; from < mine.size(); from += KEYS_OF_A_STATEMENT) {
        int to = Math.min(mine.size(), from + KEYS_OF_A_STATEMENT);
        statements.add(
            new PlaceStatement(place, statement(run, write, place, mine.subList(from, to))));
      }
    }
    WriteOutcome outcome = new WriteOutcome(WriteOutcome.isUpdate(run));
    WriteExecutor.answers(run, statements).forEach(outcome::add);
    return outcome;
  }

  /** Keys by place, as row literals; ISO 8859-1 stands for bytes. */
  private void read(
      StatementRun run, Plan.KeyedWrite write, RowSource rows, Map<Integer, List<String>> keys) {
    PartitionFunction function = write.function();
    int partitionColumns = function.columns().size();
    List<ColumnDefinition> columns = rows.columns();
    LiteralText literals =
        new LiteralText(SessionText.hasMode(run.session(), "NO_BACKSLASH_ESCAPES"));
    String charset = SessionText.resultCharset(run.session());
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    while (rows.advance()) {
      Row row = rows.row();
      int index = parts.router().indexOfStored(function, new RowSlots(columns, row), charset);
      out.reset();
      for (int i = partitionColumns; i < columns.size(); i++) {
        out.write(i == partitionColumns ? '(' : ',');
        literals.append(columns.get(i), row, i, out);
      }
      out.write(')');
      keys.computeIfAbsent(index, any -> new ArrayList<>())
          .add(out.toString(StandardCharsets.ISO_8859_1));
    }
  }

  private static byte[] statement(
      StatementRun run, Plan.KeyedWrite write, ShardPlace place, List<String> keys) {
    ByteArrayOutputStream sql = new ByteArrayOutputStream(256);
    sql.writeBytes(PlaceText.render(run, write.head(), place.physicalSchema()));
    String condition = " (" + SqlNames.list(write.keyColumns()) + ") IN (";
    sql.writeBytes(condition.getBytes(StandardCharsets.UTF_8));
    sql.writeBytes(String.join(",", keys).getBytes(StandardCharsets.ISO_8859_1));
    sql.write(')');
    return sql.toByteArray();
  }
}
