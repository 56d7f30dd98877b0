package io.alrai.cn.held;

import io.alrai.common.error.AlraiException;
import java.util.HashMap;
import java.util.Map;

/** Which tables a session has locked, by their names. Immutable. */
public final class LockedTables {
  /** None. */
  public static final LockedTables NONE = new LockedTables(Map.of());

  private static final int NOT_LOCKED = 1100;
  private static final int NOT_LOCKED_FOR_WRITE = 1099;

  /** Whether for writes. */
  private final Map<Name, Boolean> tables;

  /** A table's. */
  public record Name(String schema, String table) {}

  private LockedTables(Map<Name, Boolean> tables) {
    this.tables = Map.copyOf(tables);
  }

  /** A copy with one more; the stronger of two locks stays. */
  public LockedTables with(String schema, String table, boolean write) {
    Map<Name, Boolean> more = new HashMap<>(tables);
    more.merge(new Name(schema, table), write, Boolean::logicalOr);
    return new LockedTables(more);
  }

  /** A copy with the names that tables have now, by those that they had. */
  public LockedTables renamed(Map<Name, Name> names) {
    Map<Name, Boolean> renamed = new HashMap<>();
    tables.forEach((name, write) -> renamed.put(names.getOrDefault(name, name), write));
    return new LockedTables(renamed);
  }

  /** Whether there is one of that name, for reads or for writes. */
  public boolean has(Name name) {
    return tables.containsKey(name);
  }

  /** Whether one is locked for writes. */
  public boolean writes() {
    return tables.containsValue(true);
  }

  /**
   * Refuses to change what is not locked for it.
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

  /** 1100. */
  public static AlraiException notLocked(String table) {
    return AlraiException.fromServer(
        NOT_LOCKED, "HY000", "Table '" + table + "' was not locked with LOCK TABLES");
  }
}
