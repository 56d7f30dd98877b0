package io.alrai.optimizer.bind;

import java.util.List;
import java.util.Optional;

/**
 * A relation whose rows are spread over the partition groups of a table group.
 *
 * @param name for reasons
 * @param tableGroup id of the table group
 * @param keys for each column of the partition key the columns of the statement that equal it; no
 *     keys at all where placement is not a function of values
 * @param nullSupplied whether it stands on the inner side of an outer join
 */
public record Anchor(
    String name, long tableGroup, List<List<ColumnRef>> keys, boolean nullSupplied) {
  public Anchor {
    keys = keys.stream().map(List::copyOf).toList();
  }

  /** Whether rows that can meet lie in the same partition group. */
  boolean alignedWith(Anchor other, Equalities equalities) {
    if (tableGroup != other.tableGroup || keys.isEmpty() || keys.size() != other.keys.size()) {
      return false;
    }
    for (int i = 0; i < keys.size(); i++) {
      if (!equalities.meet(keys.get(i), other.keys.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether rows made of these columns belong beside this relation's rows.
   *
   * @param columns for each key column what becomes of it; empty where it is no plain column
   */
  public boolean sendsTo(List<Optional<ColumnRef>> columns, Equalities equalities) {
    if (nullSupplied || keys.isEmpty() || keys.size() != columns.size()) {
      return false;
    }
    for (int i = 0; i < keys.size(); i++) {
      if (columns.get(i).isEmpty()
          || !equalities.meet(keys.get(i), List.of(columns.get(i).get()))) {
        return false;
      }
    }
    return true;
  }

  Anchor asNullSupplied() {
    return new Anchor(name, tableGroup, keys, true);
  }

  /** Whether each key column equals one of these columns. */
  boolean coveredBy(List<ColumnRef> columns, Equalities equalities) {
    if (keys.isEmpty() || nullSupplied) {
      return false;
    }
    for (List<ColumnRef> key : keys) {
      if (!equalities.meet(key, columns)) {
        return false;
      }
    }
    return true;
  }
}
