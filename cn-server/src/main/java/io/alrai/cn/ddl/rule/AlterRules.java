package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.PlacementRules;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an ALTER TABLE may do to a table whose rows are placed already. */
public final class AlterRules {
  private final Table table;
  private final AlterPlan plan;

  public AlterRules(Table table, AlterPlan plan) {
    this.table = table;
    this.plan = plan;
  }

  /**
   * Checks the definition that the shadow has got.
   *
   * @throws AlraiException MySQL's error, or ER_NOT_SUPPORTED_YET with a sentence
   */
  public void check(TableDefinition after, TableText before) {
    StorageEngines.requireInnoDb(after.text());
    NameRules.columns(after);
    boolean numbers = after.columns().stream().anyMatch(Column::autoIncrement);
    if (losesPrimaryKey(after) && numbers) {
      throw refused(
          "DROP PRIMARY KEY of a table with AUTO_INCREMENT",
          ": create a new table and INSERT ... SELECT");
    }
    if (getsPrimaryKey(after) && !(table.partitioning() instanceof Partitioning.Single)) {
      throw refused("ADD PRIMARY KEY", ": ALTER TABLE " + table.name() + " SINGLE first");
    }
    if (plan.changesPartitions() && !(table.partitioning() instanceof Partitioning.Single)) {
      throw refused(
          "a change of a mysqld's own partitions",
          " of a table that is spread over several: ALTER TABLE " + table.name() + " SINGLE first");
    }
    if (plan.changesPartitions()
        && after.primaryKey().isEmpty()
        && PhysicalText.isPartitioned(after.createText())
        && !before.options().contains("PARTITION BY")) {
      throw refused(
          "PARTITION BY of a table without a primary key",
          ": give it one, or create a table with the partitions");
    }
    partitionColumnsStay(after);
    Partitioning partitioning = partitioning(after);
    if (partitioning instanceof Partitioning.Spread) {
      if (!after.keys().isEmpty()) {
        throw refused(
            "a unique key of a table without a primary key",
            ": its rows may be in any partition; create a new table and INSERT ... SELECT");
      }
    } else {
      PlacementRules.requireKeys(after, PlacementRules.columnsOf(partitioning));
    }
    newAutoIncrement(after, before, partitioning);
    TriggerRules.check(
        table.triggers(),
        partitioning,
        after.columns().stream().filter(Column::autoIncrement).findFirst());
    droppedFromUniqueKeys();
  }

  /** Whether the table gets one of its own in place of the implicit one. */
  public boolean getsPrimaryKey(TableDefinition after) {
    return table.implicitPrimaryKey() && after.primaryKey().isPresent();
  }

  /** Whether the table gets an implicit one in place of its own. */
  public boolean losesPrimaryKey(TableDefinition after) {
    return !table.implicitPrimaryKey() && after.primaryKey().isEmpty();
  }

  private void partitionColumnsStay(TableDefinition after) {
    for (String name : PlacementRules.columnsOf(table.partitioning())) {
      if (TableDefinition.contains(plan.droppedColumns(), name)) {
        throw refused("DROP COLUMN " + name, ": it decides in which partition a row is");
      }
      Column old = table.column(name).orElseThrow();
      Optional<Column> now = after.column(newName(name));
      if (now.isEmpty() || !samePlaces(old, now.get())) {
        throw refused(
            "a change of the type of column " + name,
            ": it decides in which partition a row is; create a new table and INSERT ... SELECT");
      }
    }
  }

  /** Whether equal values stay equal, and hash as they did. */
  private static boolean samePlaces(Column old, Column now) {
    if (old.type().isInteger()) {
      return now.type().isInteger();
    }
    return old.type() == now.type()
        && old.scale() == now.scale()
        && old.charset().equals(now.charset())
        && old.collation().equals(now.collation());
  }

  /** The partitioning with the columns' new names. */
  public Partitioning partitioning(TableDefinition after) {
    return switch (table.partitioning()) {
      case Partitioning.Key key -> {
        List<String> columns = new ArrayList<>();
        key.columns().forEach(name -> columns.add(spelled(after, newName(name))));
        yield new Partitioning.Key(columns, key.count());
      }
      case Partitioning.Hash hash ->
          new Partitioning.Hash(spelled(after, newName(hash.column())), hash.count());
      case Partitioning.Spread spread -> spread;
      case Partitioning.Single single -> single;
      case Partitioning.Broadcast broadcast -> broadcast;
    };
  }

  private static String spelled(TableDefinition after, String name) {
    return after.column(name).map(Column::name).orElse(name);
  }

  private String newName(String column) {
    for (Map.Entry<String, String> renamed : plan.renamedColumns().entrySet()) {
      if (renamed.getKey().equalsIgnoreCase(column)) {
        return renamed.getValue();
      }
    }
    return column;
  }

  /** Partitions would number their rows each for itself. */
  private void newAutoIncrement(
      TableDefinition after, TableText before, Partitioning partitioning) {
    Optional<Column> automatic = after.columns().stream().filter(Column::autoIncrement).findFirst();
    boolean places = partitioning.count() > 1 || partitioning instanceof Partitioning.Broadcast;
    if (automatic.isEmpty() || !places || table.autoIncrementColumn().isPresent()) {
      return;
    }
    String name = automatic.get().name();
    boolean known =
        before.columns().keySet().stream().anyMatch(old -> newName(old).equalsIgnoreCase(name));
    if (!known) {
      throw refused(
          "ADD COLUMN " + name + " AUTO_INCREMENT",
          ": the partitions would give the same numbers; create a new table and INSERT ... SELECT");
    }
  }

  /** A key that loses a column may find duplicates when the column's values are gone already. */
  private void droppedFromUniqueKeys() {
    List<List<String>> keys = new ArrayList<>(table.uniqueKeys());
    keys.add(table.primaryKey());
    for (List<String> key : keys) {
      for (String dropped : plan.droppedColumns()) {
        if (key.size() > 1 && TableDefinition.contains(key, dropped)) {
          throw refused(
              "DROP COLUMN " + dropped, ": it is part of a unique key; drop the key first");
        }
      }
    }
  }

  private static AlraiException refused(String what, String instead) {
    return AlraiException.unsupported("'" + what + "'" + instead);
  }
}
