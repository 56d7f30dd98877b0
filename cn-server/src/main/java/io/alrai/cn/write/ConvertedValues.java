package io.alrai.cn.write;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.gather.CopyScratch;
import io.alrai.cn.gather.TemporaryScratch;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.CopiedColumn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Lets a mysqld convert a query's values to the types of the columns that they go to, see {@link
 * UnlikeTypes}. They are inserted into a temporary table with the query's types, which loses
 * nothing, copied from there into one with the types of the columns, and read back: conversions,
 * errors and warnings are MySQL's own. One virtual thread.
 */
final class ConvertedValues {
  private static final Sql GIVEN = Sql.EMPTY.name(TemporaryScratch.SCHEMA, "__alrai_given");
  private static final Sql STORED = Sql.EMPTY.name(TemporaryScratch.SCHEMA, "__alrai_stored");
  private static final String NUMBER = "__alrai_row";
  private static final String FROM = "__alrai_from_";
  private static final String CELL = "__alrai_cell_";
  private static final Pattern OWN_NAME =
      Pattern.compile("(__alrai_stored)|" + FROM + "(\\d+)|" + CELL + "(\\d+)");
  private static final int BATCH_BYTES = 1 << 20;

  private final StatementRun run;
  private final SideBranch side;
  private final Table table;
  private final List<String> columns;
  private final boolean forgives;
  private final LiteralText literals;
  private final List<String> givenNames = new ArrayList<>();
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream(4 << 10);
  private long count;

  /**
   * Begins without values.
   *
   * @param side a connection beside the session's transaction, with its settings
   * @param columns of the table; the values of a row in this order
   * @param forgives whether the statement says IGNORE
   */
  ConvertedValues(
      StatementRun run, SideBranch side, Table table, List<String> columns, boolean forgives) {
    this.run = run;
    this.side = side;
    this.table = table;
    this.columns = List.copyOf(columns);
    this.forgives = forgives;
    this.literals = SessionText.literals(run.session().variables());
  }

  /**
   * Makes the tables.
   *
   * @param query over tables that exist on the connection; none of its rows is read
   * @param given its columns
   * @param first the first of them that is converted; as many as the table's columns
   */
  void define(byte[] query, List<ColumnDefinition> given, int first) {
    given.forEach(column -> givenNames.add(column.name()));
    Sql head =
        Sql.of("CREATE TEMPORARY TABLE ")
            .add(GIVEN)
            .words(" AS SELECT CAST(0 AS UNSIGNED) AS " + NUMBER + ", ")
            .names(given(first, columns.size()))
            .words(" FROM (");
    Sql tail = Sql.of("\n) AS __alrai_query (").names(given(0, given.size())).words(") LIMIT 0");
    ByteArrayOutputStream rest = new ByteArrayOutputStream(query.length + 256);
    rest.writeBytes(query);
    rest.writeBytes(tail.text().getBytes(StandardCharsets.US_ASCII));
    side.update(run.session().schema(), ShardStatement.text(head, rest.toByteArray()));
    List<Sql> stored = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      stored.add(Sql.of("t.").name(columns.get(i)).words(" AS ").name(CELL + i));
    }
    side.updates(
        Stream.of(
                // an outer join, so that each column may be NULL
                Sql.of("CREATE TEMPORARY TABLE ")
                    .add(STORED)
                    .words(" AS SELECT CAST(0 AS UNSIGNED) AS " + NUMBER + ", ")
                    .add(Sql.join(", ", stored))
                    .words(" FROM (SELECT 1) AS one LEFT JOIN ")
                    .name(table.schema(), table.name())
                    .words(" AS t ON FALSE LIMIT 0"),
                Sql.of("SET SESSION ").add(CopyScratch.LITERAL_MODE))
            .map(ShardStatement::text)
            .toList());
  }

  private static List<String> given(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(i -> FROM + i).toList();
  }

  /** Adds a row's values, from its column {@code first} on. */
  void add(List<ColumnDefinition> definitions, Row row, int first) {
    batch.writeBytes(
        ((batch.size() == 0 ? "(" : ",(") + count++).getBytes(StandardCharsets.US_ASCII));
    for (int i = first; i < first + columns.size(); i++) {
      batch.write(',');
      literals.append(definitions.get(i), row, i, batch);
    }
    batch.write(')');
    if (batch.size() > BATCH_BYTES) {
      send();
    }
  }

  private void send() {
    if (batch.size() > 0) {
      Sql into = Sql.of("INSERT INTO ").add(GIVEN).words(" VALUES ");
      side.update("", ShardStatement.text(into, batch.toByteArray()));
      batch.reset();
    }
  }

  /**
   * Converts what was added.
   *
   * @return the values that were stored, a row for each that was added, in that order; to be closed
   * @throws AlraiException what MySQL says of a value that a column does not take
   */
  RowSource rows(Queue<Condition> warnings) {
    send();
    side.update(
        "",
        Sql.of("SET SESSION sql_mode=")
            .add(CopyScratch.setting(run.session().variables().settings(), "sql_mode")));
    Sql into = forgives ? Sql.of("INSERT IGNORE INTO ") : Sql.of("INSERT INTO ");
    Sql convert = into.add(STORED).words(" SELECT * FROM ").add(GIVEN).words(" ORDER BY " + NUMBER);
    Queue<Condition> told = new ConcurrentLinkedQueue<>();
    try (ShardCall call = side.start("", ShardStatement.text(convert), told)) {
      call.update();
    } catch (AlraiException e) {
      throw e.withSentence(ofClient(e.sentence()));
    }
    for (Condition one : told) {
      warnings.add(new Condition(one.level(), one.code(), ofClient(one.message())));
    }
    List<Sql> wanted = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      wanted.add(CopiedColumn.of(table, columns.get(i), Sql.EMPTY.name(CELL + i)));
    }
    Sql read =
        Sql.of("SELECT ")
            .add(Sql.join(", ", wanted))
            .words(" FROM ")
            .add(STORED)
            .words(" ORDER BY " + NUMBER);
    return new ShardRows(side.start("", read), name -> name, any -> {});
  }

  /** With the names of the client's table, its columns and the query's. */
  private String ofClient(String sentence) {
    return OWN_NAME.matcher(sentence).replaceAll(found -> Matcher.quoteReplacement(name(found)));
  }

  private String name(MatchResult found) {
    if (found.group(1) != null) {
      return table.name();
    }
    return found.group(2) != null
        ? givenNames.get(Integer.parseInt(found.group(2)))
        : columns.get(Integer.parseInt(found.group(3)));
  }

  /**
   * Call after the last row: drops the tables and restores the connection.
   *
   * @return whether others may use it
   */
  boolean done() {
    if (count > TemporaryScratch.MOST_KEPT_ROWS) {
      return false;
    }
    side.update("", Sql.of("DROP TEMPORARY TABLE ").add(GIVEN).words(", ").add(STORED));
    return true;
  }
}
