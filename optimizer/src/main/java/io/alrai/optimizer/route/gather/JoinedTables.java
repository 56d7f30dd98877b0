package io.alrai.optimizer.route.gather;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables of a join and which of their columns are equal. One thread. */
final class JoinedTables {
  private final List<Relation> relations;
  private final List<Joined> all = new ArrayList<>();
  private final List<Equal> equal = new ArrayList<>();
  private final List<Joined> ordered = new ArrayList<>();

  /** None of these relations is joined yet. */
  JoinedTables(List<Relation> relations) {
    this.relations = relations;
  }

  /** A table. */
  static final class Joined {
    private final Relation.Base use;
    private final List<SqlTemplate> conditions = new ArrayList<>();
    private final List<Equal> keys = new ArrayList<>();
    private boolean outer;

    private Joined(Relation.Base use, boolean outer) {
      this.use = use;
      this.outer = outer;
    }

    Relation.Base use() {
      return use;
    }

    /** Whether rows before it stay without one of it. */
    boolean outer() {
      return outer;
    }

    /** What holds after the join holds for none of these. */
    void makeInner() {
      outer = false;
    }

    /** The conditions on this table alone. */
    List<SqlTemplate> conditions() {
      return conditions;
    }

    /** Its columns, each with an equal one of a table before it. */
    List<Equal> keys() {
      return keys;
    }
  }

  /**
   * Equal columns.
   *
   * @param inner the table whose outer join says so; empty where all joined rows must
   */
  record Equal(ColumnRef one, ColumnRef other, Optional<Joined> inner) {
    boolean isOf(Joined table) {
      return one.relation() == table.use().id() || other.relation() == table.use().id();
    }

    /** Whether it is a condition on rows of the table and of those before it. */
    boolean holdsAt(Joined table) {
      return inner.filter(Joined::outer).map(one -> one == table).orElse(true);
    }

    /** The table's column. */
    ColumnRef own(Joined table) {
      return one.relation() == table.use().id() ? one : other;
    }

    /** The other's. */
    ColumnRef beside(Joined table) {
      return one.relation() == table.use().id() ? other : one;
    }
  }

  /** Adds a table; whether it is one. */
  boolean add(TableRef.Named named, boolean outer) {
    Optional<Relation.Base> use =
        relations.stream()
            .filter(Relation.Base.class::isInstance)
            .map(Relation.Base.class::cast)
            .filter(base -> base.reference() == named)
            .findFirst();
    use.ifPresent(base -> all.add(new Joined(base, outer)));
    return use.isPresent();
  }

  /** How many there are. */
  int count() {
    return all.size();
  }

  /** The first of those from {@code start} on that has a column. */
  Optional<Joined> with(String column, int start) {
    return all.stream()
        .skip(start)
        .filter(table -> table.use().table().column(column).isPresent())
        .findFirst();
  }

  /** The one that was added last. */
  Joined last() {
    return all.getLast();
  }

  Optional<Joined> find(Predicate<Joined> wanted) {
    return all.stream().filter(wanted).findFirst();
  }

  private Optional<Joined> of(ColumnRef column) {
    return find(table -> table.use().id() == column.relation());
  }

  /** Adds an equality; whether it is one between two tables, one of them {@code inner} if given. */
  boolean equal(ColumnRef one, ColumnRef other, Optional<Joined> inner) {
    Equal found = new Equal(one, other, inner);
    boolean between =
        one.relation() != other.relation() && of(one).isPresent() && of(other).isPresent();
    if (!between || !inner.map(found::isOf).orElse(true)) {
      return false;
    }
    if (inner.isEmpty()) {
      of(one).orElseThrow().makeInner();
      of(other).orElseThrow().makeInner();
    }
    equal.add(found);
    return true;
  }

  /**
   * Orders the tables so that each has keys that are equal to columns before it.
   *
   * @return whether there are several, and it is possible
   */
  boolean order() {
    List<Joined> open = new ArrayList<>(all);
    while (!open.isEmpty() && all.size() > 1) {
      Optional<Joined> next = open.stream().filter(this::isNext).findFirst();
      if (next.isEmpty()) {
        return false;
      }
      place(next.get());
      open.remove(next.get());
    }
    return open.isEmpty();
  }

  private boolean isNext(Joined table) {
    if (ordered.isEmpty()) {
      return !table.outer();
    }
    return table.outer()
        ? between(table).stream().anyMatch(found -> found.inner().isPresent())
            && mayPlaceOuter(table)
        : !between(table).isEmpty();
  }

  /** All that its join says is known, and nothing that only holds after it. */
  private boolean mayPlaceOuter(Joined table) {
    return equal.stream()
        .filter(found -> found.isOf(table))
        .allMatch(found -> {
          boolean ofItsJoin = found.inner().filter(inner -> inner == table).isPresent();
          return ofItsJoin == isPlaced(found.beside(table));
        });
  }

  private boolean isPlaced(ColumnRef column) {
    return ordered.stream().anyMatch(table -> table.use().id() == column.relation());
  }

  /** Equalities with tables before it. */
  private List<Equal> between(Joined table) {
    return equal.stream()
        .filter(found -> found.isOf(table) && isPlaced(found.beside(table)) && found.holdsAt(table))
        .toList();
  }

  private void place(Joined table) {
    table.keys().addAll(between(table));
    ordered.add(table);
  }

  /** In the order of their joins. */
  List<Joined> ordered() {
    return ordered;
  }
}
