package io.alrai.cn.held;

import io.alrai.common.error.AlraiException;
import java.util.HashMap;
import java.util.Map;

/** The tables that a session has locked, by their names. Immutable. */
public final class LockedTables {
  /** No locked tables. */
  public static final LockedTables NONE = new LockedTables(Map.of());

  private static final int NOT_LOCKED = 1100;
  private static final int NOT_LOCKED_FOR_WRITE = 1099;

  /** The tables, with whether they are locked for writes. */
  private final Map<Name, Boolean> tables;

  /** The name of a table. */
  public record Name(String schema, String table) {}

  private LockedTables(Map<Name, Boolean> tables) {
    this.tables = Map.copyOf(tables);
  }

  /** A copy with one more table; the stronger of two locks on a table stays. */
  public LockedTables with(String schema, String table, boolean write) {
    Map<Name, Boolean> more = new HashMap<>(tables);
    more.merge(new Name(schema, table), write, Boolean::logicalOr);
    return new LockedTables(more);
  }

  /** A copy with the tables' new names, which are given by their old ones. */
  public LockedTables renamed(Map<Name, Name> names) {
    Map<Name, Boolean> renamed = new HashMap<>();
    tables.forEach((name, write) -> renamed.put(names.getOrDefault(name, name), write));
    return new LockedTables(renamed);
  }

  /** Whether a table is locked, for reads or for writes. */
  public boolean has(Name name) {
    return tables.containsKey(name);
  }

  /** Whether any table is locked for writes. */
  public boolean writes() {
    return tables.containsValue(true);
  }

  /**
   * Refuses to change a table that is not locked for writes.
   *
   * @throws AlraiException 1100, 1099
   */
  public void requireWrite(Name name) {
    if (!has(name)) {
      throw notLocked(name.table());
    }
    if (!tables.getOrDefault(name, false)) {
      throw AlraiException.fromServer(
          NOT_LOCKED_FOR_WRITE,
          "HY000",
          "Table '" + name.table() + "' was locked with a READ lock and can't be updated");
    }
  }

  /** Error 1100, for a table that is not locked. */
  public static AlraiException notLocked(String table) {
    return AlraiException.fromServer(
        NOT_LOCKED, "HY000", "Table '" + table + "' was not locked with LOCK TABLES");
  }
}
