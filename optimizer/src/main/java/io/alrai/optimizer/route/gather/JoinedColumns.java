package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.JoinPlan.KeyPair;
import io.alrai.executor.fragment.JoinPlan.Member;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.ValueKind;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.gather.JoinedTables.Equal;
import io.alrai.optimizer.route.gather.JoinedTables.Joined;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The columns that a join reads of its tables, and where they are in joined rows. First all are
 * added, then {@link #complete} them, then all keys are weighed, then {@link #place} them, then
 * those are picked that are kept. One thread.
 */
final class JoinedColumns {
  private final Planning planning;
  private final Map<Integer, Part> parts = new LinkedHashMap<>();
  private final List<Integer> picked = new ArrayList<>();

  /** A table's part of a joined row. */
  private static final class Part {
    private final Joined table;
    private final List<String> columns = new ArrayList<>();
    private RowColumns all = new RowColumns(0, false);
    private int start;

    Part(Joined table) {
      this.table = table;
    }

    Column column(String name) {
      return table.use().table().column(name).orElseThrow();
    }

    void add(String name) {
      String known = column(name).name();
      if (!columns.contains(known)) {
        columns.add(known);
      }
    }

    int index(String name) {
      return columns.indexOf(column(name).name());
    }
  }

  /** With what the tables' keys need. */
  JoinedColumns(Planning planning, JoinedTables tables) {
    this.planning = planning;
    tables.ordered().forEach(table -> parts.put(table.use().id(), new Part(table)));
    for (Joined table : tables.ordered()) {
      for (Equal equal : table.keys()) {
        add(equal.one());
        add(equal.other());
      }
    }
  }

  private Part part(int relation) {
    return Objects.requireNonNull(parts.get(relation));
  }

  /** Adds one. */
  void add(ColumnRef column) {
    part(column.relation()).add(column.column());
  }

  /** Adds one of a table. */
  void add(Joined table, String column) {
    part(table.use().id()).add(column);
  }

  /** All are added: their keys can be weighed. */
  void complete() {
    for (Part part : parts.values()) {
      part.all = new RowColumns(part.columns.size(), false);
    }
    for (Part part : parts.values()) {
      for (Equal equal : part.table.keys()) {
        weigh(equal.one());
        weigh(equal.other());
      }
    }
  }

  /** Adds what the column weighs, where that is not the column itself. */
  void weigh(ColumnRef column) {
    key(column);
  }

  /** Adds a column that is 1 in each joined row. */
  void markRows() {
    rowMark();
  }

  private int rowMark() {
    return parts.values().iterator().next().all.hidden(new SqlBuilder().text("1").build());
  }

  /** Adds a column that is 1 where the given one is not NULL, and else 0 or NULL. */
  void markKnown(ColumnRef column) {
    knownMark(column);
  }

  private int knownMark(ColumnRef column) {
    Part part = part(column.relation());
    String name = Identifier.quote(part.column(column.column()).name());
    return part.all.hidden(new SqlBuilder().text("(" + name + " IS NOT NULL)").build());
  }

  /** Gives all their places in joined rows. */
  void place() {
    int start = 0;
    for (Part part : parts.values()) {
      part.start = start;
      start += part.all.count();
    }
  }

  /** The key in the table's rows; asked again, the same. */
  private RowKey key(ColumnRef reference) {
    Part part = part(reference.relation());
    Column column = part.column(reference.column());
    String name = Identifier.quote(column.name());
    Optional<String> exact = exact(column.type(), name);
    if (exact.isPresent()) {
      return new RowKey(part.all.hidden(new SqlBuilder().text(exact.get()).build()), -1);
    }
    return part.all.key(
        part.index(reference.column()),
        new SqlBuilder().text(name).build(),
        RowColumns.comparison(ValueKind.of(column)),
        Optional.of(column),
        planning.asciiWeights(Optional.of(column)));
  }

  /** What tells values apart whose text may be the same: of moments, and with fewer digits. */
  private static Optional<String> exact(MysqlType type, String name) {
    return switch (type) {
      case TIMESTAMP -> Optional.of("UNIX_TIMESTAMP(" + name + ")");
      case FLOAT -> Optional.of("CAST(" + name + " AS DOUBLE)");
      default -> Optional.empty();
    };
  }

  private RowKey joinedKey(ColumnRef reference) {
    RowKey own = key(reference);
    int start = part(reference.relation()).start;
    int weight = own.weightColumn() < 0 ? -1 : start + own.weightColumn();
    return new RowKey(start + own.column(), weight, own.ascii());
  }

  /** Keeps a column of the joined rows; where it is then. */
  int pick(ColumnRef column) {
    return pick(at(column));
  }

  /** Where a column is in joined rows. */
  int at(ColumnRef column) {
    Part part = part(column.relation());
    return part.start + part.index(column.column());
  }

  /** Picks the mark of {@link #markRows}; returns where it is. */
  int pickRows() {
    return pick(rowMark());
  }

  /** Picks the mark of {@link #markKnown}; returns where it is. */
  int pickKnown(ColumnRef column) {
    return pick(part(column.relation()).start + knownMark(column));
  }

  private int pick(int joined) {
    picked.add(joined);
    return picked.size() - 1;
  }

  /** Keeps what sorting by a column needs, and gives the key over what is kept. */
  RowKey pickKey(ColumnRef column) {
    RowKey joined = joinedKey(column);
    int kept = pick(joined.column());
    int weight = joined.weightColumn() < 0 ? -1 : pick(joined.weightColumn());
    return new RowKey(kept, weight, joined.ascii());
  }

  /** What is kept. */
  List<Integer> picked() {
    return picked;
  }

  /** The columns of a table's rows, but for hidden ones. */
  List<String> of(Joined table) {
    return part(table.use().id()).columns;
  }

  /** The hidden ones. */
  RowColumns hidden(Joined table) {
    return part(table.use().id()).all;
  }

  /** How a table is joined. */
  Member member(Joined table, Source source) {
    List<KeyPair> keys =
        table.keys().stream()
            .map(equal -> new KeyPair(key(equal.own(table)), joinedKey(equal.beside(table))))
            .toList();
    return new JoinPlan.Member(source, part(table.use().id()).all.count(), table.outer(), keys);
  }
}
