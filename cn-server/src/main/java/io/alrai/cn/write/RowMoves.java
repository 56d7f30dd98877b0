package io.alrai.cn.write;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.route.Router;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.RowSlots;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.operator.RowSpool;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.CopiedColumn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves rows to their places whose partition key was changed where they were: all are deleted
 * first, because they may take each other's keys. Virtual threads; inside a transaction.
 */
final class RowMoves {
  private static final int KEYS_OF_A_STATEMENT = 1000;

  private final ExecutorParts parts;
  private final StatementRun run;
  private final InsertRows stored;
  private final List<String> primaryKey;

  /**
   * For one statement.
   *
   * @param stored how a moved row is stored: partition key columns first, then all others but
   *     generated ones
   */
  RowMoves(ExecutorParts parts, StatementRun run, InsertRows stored, List<String> primaryKey) {
    this.parts = parts;
    this.run = run;
    this.stored = stored;
    this.primaryKey = primaryKey;
  }

  /** Foreign keys do not matter to a row that moves: children and parents are kept at one place. */
  void refuseForeignKeys() {
    Sql sql =
        Sql.of(
                "SELECT 1 FROM information_schema.referential_constraints WHERE constraint_schema = ")
            .string(stored.schema())
            .words(" AND (table_name = ")
            .string(stored.table())
            .words(" OR referenced_table_name = ")
            .string(stored.table())
            .words(") LIMIT 1");
    if (!parts.queries().query(parts.links().any(), "", sql).isEmpty()) {
      throw ExecuteErrors.unsupported(
          "an UPDATE of the partition key of '"
              + stored.table()
              + "', which has foreign keys; DELETE the rows and INSERT them again");
    }
  }

  /**
   * Moves the rows of some places.
   *
   * @param search finds every row that may be misplaced; empty for all rows
   */
  void move(List<ShardPlace> places, Optional<String> search) {
    List<RowSpool> moving = new ArrayList<>();
    try {
      for (ShardPlace place : places) {
        RowSpool spool = new RowSpool(parts.budget());
        moving.add(spool);
        takeOut(place, search, spool);
      }
      RowBatches batches = new RowBatches(parts, run, stored, SessionText.COPIED);
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
  private void takeOut(ShardPlace place, Optional<String> search, RowSpool spool) {
    Sql table = Sql.EMPTY.name(place.physicalSchema().name(), stored.table());
    Sql columns = Sql.of("SELECT ").add(whole()).words(" FROM ").add(table);
    ByteArrayOutputStream sql = new ByteArrayOutputStream(256);
    sql.writeBytes(SessionText.encoded(run.session().variables(), columns));
    search.ifPresent(
        condition -> sql.writeBytes((" WHERE " + condition).getBytes(StandardCharsets.ISO_8859_1)));
    sql.writeBytes(" FOR UPDATE".getBytes(StandardCharsets.US_ASCII));
    Misplaced rows =
        new Misplaced(
            new ShardRows(
                run.shards().start(place.dn(), "", sql.toByteArray(), RowAccess.LOCKING),
                name -> name,
                count -> {}),
            place.index());
    try (rows) {
      spool.fill(rows);
    }
    List<PlaceStatement> deletes = new ArrayList<>();
    List<String> keys = rows.misplaced;
    Sql head =
        Sql.of("DELETE FROM ").add(table).words(" WHERE (").names(primaryKey).words(") IN (");
    for (int from = 0; from < keys.size(); from += KEYS_OF_A_STATEMENT) {
      ByteArrayOutputStream delete = new ByteArrayOutputStream(256);
      delete.writeBytes(SessionText.encoded(run.session().variables(), head));
      String list =
          String.join(",", keys.subList(from, Math.min(keys.size(), from + KEYS_OF_A_STATEMENT)));
      delete.writeBytes(list.getBytes(StandardCharsets.ISO_8859_1));
      delete.write(')');
      deletes.add(new PlaceStatement(place, delete.toByteArray()));
    }
    WriteExecutor.answers(run, deletes);
  }

  private Table table() {
    return parts
        .gms()
        .catalog()
        .table(stored.schema(), stored.table())
        .orElseThrow(() -> ExecuteErrors.unsupported("an UPDATE of a table that was dropped"));
  }

  static boolean isZero(Row row, int column) {
    int start = row.valueStart(column);
    int end = start + row.valueLength(column);
    int at = start;
    while (at < end && row.bytes()[at] == '0') { // a column with ZEROFILL has several
      at++;
    }
    return at == end && start < end;
  }

  private Sql whole() {
    Table table = table();
    return Sql.join(
        ",",
        stored.columns().stream()
            .map(column ->
                isKey(column)
                    ? CopiedColumn.of(table, column)
                    : CopiedColumn.ofMoment(table, column))
            .toList());
  }

  /** Whether its text is needed, to find the row's place or to identify the row. */
  private boolean isKey(String column) {
    return primaryKey.contains(column)
        || ((Placement.ByKey) stored.placement())
            .cells()
            .contains(stored.columns().indexOf(column));
  }

  /** The rows of a place that belong elsewhere; notes their primary keys, as row literals. */
  private final class Misplaced implements RowSource {
    private final RowSource rows;
    private final int place;
    private final List<Integer> keyColumns;
    private final LiteralText literals;
    private final StoredPlaces storedPlaces;
    private final int idColumn;
    private final List<String> misplaced = new ArrayList<>();

    Misplaced(RowSource rows, int place) {
      this.rows = rows;
      this.place = place;
      this.keyColumns = primaryKey.stream().map(stored.columns()::indexOf).toList();
      this.literals = SessionText.literals(run.session().variables());
      this.storedPlaces = new StoredPlaces(parts, run, stored);
      this.idColumn =
          table().autoIncrementColumn().map(Column::name).map(stored.columns()::indexOf).orElse(-1);
    }

    @Override
    public List<ColumnDefinition> columns() {
      return rows.columns();
    }

    @Override
    public boolean advance() {
      while (rows.advance()) {
        if (index() != place) {
          refuseZero();
          ByteArrayOutputStream key = new ByteArrayOutputStream(32);
          for (int i = 0; i < keyColumns.size(); i++) {
            key.write(i == 0 ? '(' : ',');
            int column = keyColumns.get(i);
            literals.append(columns().get(column), rows.row(), column, key);
          }
          key.write(')');
          misplaced.add(key.toString(StandardCharsets.ISO_8859_1));
          return true;
        }
      }
      return false;
    }

    /** A mysqld would make a new id of it. */
    private void refuseZero() {
      boolean zero =
          idColumn >= 0
              && isZero(rows.row(), idColumn)
              && !SessionText.hasMode(run.session().variables(), "NO_AUTO_VALUE_ON_ZERO");
      if (zero) {
        throw ExecuteErrors.unsupported(
            "an UPDATE of the partition key of a row with 0 in its AUTO_INCREMENT column, but with"
                + " NO_AUTO_VALUE_ON_ZERO in sql_mode");
      }
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
