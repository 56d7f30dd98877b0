package io.alrai.cn.execute;

import io.alrai.cn.execute.WriteExecutor.PlaceStatement;
import io.alrai.cn.route.Router;
import io.alrai.cn.tx.RowAccess;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.operator.RowSpool;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.shardsql.CopiedColumn;
import io.alrai.optimizer.syntax.Identifier;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * UPDATE of partition key columns. Every place updates its rows where they are, with all that MySQL
 * makes of that; before the statement no row was misplaced, so that those that are behind it are
 * the ones to move. They are looked for by the values that the key columns were to get; where it is
 * not sure that these were stored as they came, in all rows of the place. Of rows that take each
 * other's keys the order does not matter. Virtual threads; inside a transaction.
 */
final class KeyUpdateExecutor {
  private static final int MOST_KEYS = 1000;

  private final ExecutorParts parts;
  private final SelectExecutor selects;

  KeyUpdateExecutor(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
  }

  /** Runs the statement; gives what the places said about the UPDATE. */
  List<OkPacket> run(StatementRun run, Plan.KeyUpdate plan) {
    refuseForeignKeys(plan.rows());
    List<ShardPlace> places =
        parts
            .router()
            .places(plan.update().targets(), run.values(), SessionText.charset(run.session()));
    Optional<String> search = search(run, plan, places);
    run.shards().takeWarnings();
    List<PlaceStatement> updates = new ArrayList<>();
    for (ShardPlace place : places) {
      byte[] sql = PlaceText.render(run, plan.update().shardSql(), place.physicalSchema());
      updates.add(new PlaceStatement(place, sql));
    }
    List<OkPacket> answers = WriteExecutor.answers(run, updates);
    List<ShardPlace> changed = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).affectedRows() > 0) {
        changed.add(places.get(i));
      }
    }
    move(run, plan, changed, search);
    return answers;
  }

  /** A row that moves takes no part in foreign keys: child and parent are kept at one place. */
  private void refuseForeignKeys(InsertRows rows) {
    LiteralText literals = new LiteralText(false, true);
    String schema = literals.quoted(rows.schema());
    String table = literals.quoted(rows.table());
    String sql =
        "SELECT 1 FROM information_schema.referential_constraints WHERE constraint_schema = "
            + schema
            + " AND (table_name = "
            + table
            + " OR referenced_table_name = "
            + table
            + ") LIMIT 1";
    if (!parts.queries().query(parts.links().any(), "", sql).isEmpty()) {
      throw ExecuteErrors.unsupported(
          "an UPDATE of the partition key of '"
              + rows.table()
              + "', which has foreign keys; DELETE the rows and INSERT them again");
    }
  }

  /** A condition that finds every row that got a new key; empty where only all rows are sure. */
  private Optional<String> search(StatementRun run, Plan.KeyUpdate plan, List<ShardPlace> places) {
    Placement.ByKey byKey = (Placement.ByKey) plan.rows().placement();
    List<KeyColumn> keys = byKey.function().columns();
    Set<String> conditions = new LinkedHashSet<>();
    try (RowSource rows = selects.merged(run, plan.newKeys(), places, true, new int[1])) {
      List<ColumnDefinition> columns = rows.columns();
      boolean exact = plan.foreseen() && run.session().settings().isStrict();
      for (int i = 0; i < keys.size(); i++) {
        exact &= isStoredAsItComes(columns.get(i), keys.get(i));
      }
      while (rows.advance()) {
        if (exact && conditions.size() <= MOST_KEYS) {
          conditions.add(condition(run, keys, columns, rows.row()));
        }
      }
      return exact && conditions.size() <= MOST_KEYS
          ? Optional.of(conditions.isEmpty() ? "FALSE" : String.join(" OR ", conditions))
          : Optional.empty();
    }
  }

  private static String condition(
      StatementRun run, List<KeyColumn> keys, List<ColumnDefinition> columns, Row row) {
    LiteralText literals = SessionText.literals(run.session());
    ByteArrayOutputStream sql = new ByteArrayOutputStream(64);
    for (int i = 0; i < keys.size(); i++) {
      String column = (i == 0 ? "" : " AND ") + Identifier.quote(keys.get(i).name()) + " <=> ";
      sql.writeBytes(SessionText.encoded(run.session(), column));
      literals.append(columns.get(i), row, i, sql);
    }
    return sql.toString(StandardCharsets.ISO_8859_1);
  }

  /** Under a strict mode. */
  private static boolean isStoredAsItComes(ColumnDefinition value, KeyColumn key) {
    return switch (value.type()) {
      case NULL -> true;
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT -> key.type().isInteger();
      case VARCHAR, CHAR, VARCHAR_OLD ->
          !key.charset().isEmpty()
              && !key.charset().equals("binary")
              && value.charsetId() != ColumnDefinition.BINARY_CHARSET
              && value.length() <= key.length();
      default -> false;
    };
  }

  private void move(
      StatementRun run, Plan.KeyUpdate plan, List<ShardPlace> places, Optional<String> search) {
    List<RowSpool> moving = new ArrayList<>();
    try {
      for (ShardPlace place : places) {
        RowSpool spool = new RowSpool(parts.budget());
        moving.add(spool);
        takeOut(run, plan, place, search, spool);
      }
      RowBatches batches = new RowBatches(parts, run, plan.rows(), SessionText.COPIED);
      InsertOutcome outcome = new InsertOutcome(false);
      for (RowSpool spool : moving) {
        while (spool.advance()) {
          batches.add(spool.columns(), spool.row());
          if (batches.isFull()) {
            batches.send(outcome);
          }
        }
      }
      batches.send(outcome);
    } finally {
      moving.forEach(RowSpool::close);
    }
  }

  /** Reads the misplaced rows of a place, and deletes them there. */
  private void takeOut(
      StatementRun run,
      Plan.KeyUpdate plan,
      ShardPlace place,
      Optional<String> search,
      RowSpool spool) {
    String table =
        Identifier.quote(place.physicalSchema()) + "." + Identifier.quote(plan.rows().table());
    String columns = "SELECT " + whole(plan.rows()) + " FROM " + table;
    ByteArrayOutputStream sql = new ByteArrayOutputStream(256);
    sql.writeBytes(SessionText.encoded(run.session(), columns));
    search.ifPresent(
        condition -> sql.writeBytes((" WHERE " + condition).getBytes(StandardCharsets.ISO_8859_1)));
    sql.writeBytes(" FOR UPDATE".getBytes(StandardCharsets.US_ASCII));
    Misplaced rows =
        new Misplaced(
            new ShardRows(
                run.shards().start(place.dn(), "", sql.toByteArray(), RowAccess.LOCKING),
                name -> name,
                count -> {}),
            run,
            plan,
            place.index());
    try (rows) {
      spool.fill(rows);
    }
    List<PlaceStatement> deletes = new ArrayList<>();
    List<String> keys = rows.primaryKeys;
    String head = "DELETE FROM " + table + " WHERE (" + SqlNames.list(plan.primaryKey()) + ") IN (";
    for (int from = 0; from < keys.size(); from += MOST_KEYS) {
      ByteArrayOutputStream delete = new ByteArrayOutputStream(256);
      delete.writeBytes(SessionText.encoded(run.session(), head));
      String list = String.join(",", keys.subList(from, Math.min(keys.size(), from + MOST_KEYS)));
      delete.writeBytes(list.getBytes(StandardCharsets.ISO_8859_1));
      delete.write(')');
      deletes.add(new PlaceStatement(place, delete.toByteArray()));
    }
    WriteExecutor.answers(run, deletes);
  }

  private String whole(InsertRows rows) {
    Table table =
        parts
            .gms()
            .catalog()
            .table(rows.schema(), rows.table())
            .orElseThrow(() -> ExecuteErrors.unsupported("an UPDATE of a table that was dropped"));
    return rows.columns().stream()
        .map(column -> CopiedColumn.of(table, column))
        .collect(Collectors.joining(","));
  }

  /** The rows of a place that belong elsewhere; notes their primary keys, as row literals. */
  private final class Misplaced implements RowSource {
    private final RowSource rows;
    private final InsertRows stored;
    private final int place;
    private final List<Integer> keyColumns;
    private final LiteralText literals;
    private final StoredPlaces storedPlaces;
    private final List<String> primaryKeys = new ArrayList<>();

    Misplaced(RowSource rows, StatementRun run, Plan.KeyUpdate plan, int place) {
      this.rows = rows;
      this.stored = plan.rows();
      this.place = place;
      this.keyColumns = plan.primaryKey().stream().map(plan.rows().columns()::indexOf).toList();
      this.literals = SessionText.literals(run.session());
      this.storedPlaces = new StoredPlaces(parts, run, plan.rows());
    }

    @Override
    public List<ColumnDefinition> columns() {
      return rows.columns();
    }

    @Override
    public boolean advance() {
      while (rows.advance()) {
        if (index() != place) {
          ByteArrayOutputStream key = new ByteArrayOutputStream(32);
          for (int i = 0; i < keyColumns.size(); i++) {
            key.write(i == 0 ? '(' : ',');
            int column = keyColumns.get(i);
            literals.append(columns().get(column), rows.row(), column, key);
          }
          key.write(')');
          primaryKeys.add(key.toString(StandardCharsets.ISO_8859_1));
          return true;
        }
      }
      return false;
    }

    private int index() {
      Placement.ByKey byKey = (Placement.ByKey) stored.placement();
      RowSlots key = new RowSlots(columns(), rows.row());
      int index = parts.router().indexOfStored(byKey.function(), key, SessionText.COPIED);
      return index == Router.UNKNOWN
          ? storedPlaces.index(byKey, new BatchRow(stored, columns(), rows.row(), literals))
          : index;
    }

    @Override
    public Row row() {
      return rows.row();
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
