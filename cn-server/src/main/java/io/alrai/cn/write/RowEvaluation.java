package io.alrai.cn.write;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.RowNumbers;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.RowSlots;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.write.InsertedRow.Made;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.CopiedColumn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ObjIntConsumer;
import java.util.regex.Pattern;

/**
 * Lets a mysqld say what columns hold after given cells are stored in them: rows are inserted into
 * a temporary table with the same columns, beside the session's transaction, and read back. So
 * conversions, defaults, expressions, errors and the sql_mode are MySQL's own. Virtual threads.
 */
final class RowEvaluation {
  private static final Pattern IGNORE =
      Pattern.compile(
          "(?is)^\\s*INSERT\\s+(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY)\\s+)?IGNORE\\b.*");
  private static final String NUMBER = "__alrai_row";
  private static final String TABLE = "__alrai_values";

  private final ExecutorParts parts;

  RowEvaluation(ExecutorParts parts) {
    this.parts = parts;
  }

  /**
   * Stores rows and puts what was stored in their place.
   *
   * @param indexes of the rows
   * @param wanted the cells to read back
   * @param stored called for each row in turn with what is in the wanted cells, as slots in their
   *     order; the row's view is at that row
   * @return the warnings about the wanted cells, which no place gives again, with the client's row
   *     numbers
   */
  List<Condition> store(
      StatementRun run,
      InsertRows rows,
      InsertedRow row,
      List<Integer> indexes,
      List<Integer> wanted,
      ObjIntConsumer<RowSlots> stored) {
    Sql table = Sql.EMPTY.name(rows.schema(), TABLE);
    SideBranch side =
        SideBranch.open(parts.queries(), parts.links().any(), run.session().variables().ofCopies());
    boolean clean = false;
    try {
      side.update(
          "",
          Sql.of("CREATE TEMPORARY TABLE ")
              .add(table)
              .words(" AS SELECT 0 AS " + NUMBER + ",")
              .names(rows.columns())
              .words(" FROM ")
              .name(rows.schema(), rows.table())
              .words(" LIMIT 0"));
      List<String> names = new ArrayList<>();
      wanted.forEach(cell -> names.add(rows.columns().get(cell)));
      List<Condition> warnings =
          insert(side, insert(run, rows, row, indexes, table), indexes, names);
      ShardCall call =
          side.start(
              "",
              Sql.of("SELECT ")
                  .add(whole(rows, names))
                  .words(" FROM ")
                  .add(table)
                  .words(" ORDER BY " + NUMBER));
      try (RowSource source = new ShardRows(call, name -> name, count -> {})) {
        read(source, row, indexes, wanted, SessionText.literals(run.session().variables()), stored);
      }
      side.update("", Sql.of("DROP TEMPORARY TABLE ").add(table));
      clean = true;
      return warnings;
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }

  private Sql whole(InsertRows rows, List<String> columns) {
    Optional<Table> table = parts.gms().catalog().table(rows.schema(), rows.table());
    return Sql.join(
        ",",
        columns.stream()
            .map(column ->
                table
                    .map(known -> CopiedColumn.of(known, column))
                    .orElseGet(() -> Sql.EMPTY.name(column)))
            .toList());
  }

  /** Inserts; returns the warnings about the columns. */
  private static List<Condition> insert(
      SideBranch side, ShardStatement statement, List<Integer> indexes, List<String> columns) {
    int[] clients = indexes.stream().mapToInt(Integer::intValue).toArray();
    Queue<Condition> told = new ConcurrentLinkedQueue<>();
    try (ShardCall call = side.start("", statement, told)) {
      call.update();
    } catch (AlraiException e) {
      throw RowNumbers.ofClient(e, clients);
    }
    return told.stream()
        .filter(condition -> columns.stream().anyMatch(name -> isAbout(condition.message(), name)))
        .map(condition -> RowNumbers.ofClient(condition, clients))
        .toList();
  }

  private static boolean isAbout(String message, String column) {
    return message.contains(" column '" + column + "' ")
        || message.startsWith("Column '" + column + "' ");
  }

  private static ShardStatement insert(
      StatementRun run, InsertRows rows, InsertedRow row, List<Integer> indexes, Sql table) {
    ByteArrayOutputStream sql = new ByteArrayOutputStream(1024);
    boolean forgives = forgives(run, rows, row.rowCount());
    Sql into =
        (forgives ? Sql.of("INSERT IGNORE INTO ") : Sql.of("INSERT INTO "))
            .add(table)
            .words(" (" + NUMBER + ",")
            .names(rows.columns())
            .words(") VALUES ");
    for (int i = 0; i < indexes.size(); i++) {
      row.at(indexes.get(i));
      String start = (i == 0 ? "(" : ",(") + i;
      sql.writeBytes(start.getBytes(StandardCharsets.US_ASCII));
      for (int cell = 0; cell < row.cells(); cell++) {
        sql.write(',');
        row.appendSql(cell, sql);
      }
      sql.write(')');
    }
    return ShardStatement.text(into, sql.toByteArray());
  }

  /**
   * Whether values that a column does not take are changed, not refused: also NULL, of one row
   * among several, without a strict sql_mode.
   *
   * @param count of the statement's rows
   */
  static boolean forgives(StatementRun run, InsertRows rows, int count) {
    return ignores(rows) || (count > 1 && !SessionText.isStrict(run.session().variables()));
  }

  /** Whether the statement is an INSERT IGNORE. */
  static boolean ignores(InsertRows rows) {
    for (SqlTemplate.Piece piece : rows.head().pieces()) {
      if (piece instanceof SqlTemplate.Piece.Text text) {
        return IGNORE.matcher(text.sql().toUpperCase(Locale.ROOT)).matches();
      }
    }
    return false;
  }

  private static void read(
      RowSource source,
      InsertedRow row,
      List<Integer> indexes,
      List<Integer> wanted,
      LiteralText literals,
      ObjIntConsumer<RowSlots> stored) {
    List<ColumnDefinition> columns = source.columns();
    for (int i = 0; source.advance(); i++) {
      Row values = source.row();
      RowSlots slots = new RowSlots(columns, values);
      row.at(indexes.get(i));
      for (int w = 0; w < wanted.size(); w++) {
        ByteArrayOutputStream sql = new ByteArrayOutputStream(32);
        literals.append(columns.get(w), values, w, sql);
        row.make(wanted.get(w), new Made(slots.kind(w), slots.bytes(w), sql.toByteArray()));
      }
      stored.accept(slots, indexes.get(i));
    }
  }
}
