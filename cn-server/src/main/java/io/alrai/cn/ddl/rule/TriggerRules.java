package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.PlacementRules;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TouchedTable;
import io.alrai.gms.api.Trigger;
import io.alrai.optimizer.api.TriggerBody;
import io.alrai.optimizer.api.inspect.BodyTables;
import io.alrai.optimizer.api.inspect.TouchedTables;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a trigger may do to a row that has its place, and a table to the columns of its triggers.
 */
public final class TriggerRules {
  private TriggerRules() {}

  /**
   * Checks whether the tables that a new trigger names are where its table is.
   *
   * @throws TablesApart where they could be moved
   */
  public static void together(String name, BodyTables tables, Table table, Catalog catalog) {
    List<TouchedTable> touched = tables.touched(catalog, table.schema());
    try {
      touched.forEach(each -> TouchedTables.check(catalog, table, name, each));
    } catch (AlraiException refusal) {
      Set<String> needed = new HashSet<>();
      touched.stream()
          .filter(each -> !each.broadcast())
          .map(TouchedTable::name)
          .filter(each -> catalog.table(table.schema(), each).isPresent())
          .forEach(needed::add);
      needed.add(table.name());
      throw new TablesApart(table.schema(), needed, refusal);
    }
  }

  /** Checks what else a new trigger does. */
  public static void check(String name, TriggerBody body, Table table) {
    sets(name, body.sets(), table.partitioning(), table.autoIncrementColumn());
    if (table.partitioning() instanceof Partitioning.Broadcast && !body.varying().isEmpty()) {
      throw refused(
          body.varying() + " in a trigger of a broadcast table",
          ": the servers would have different values");
    }
  }

  /** A row is sent to its place before its triggers run; so is the number of the next one. */
  private static void sets(
      String trigger, List<String> sets, Partitioning partitioning, Optional<Column> automatic) {
    for (String column : sets) {
      if (TableDefinition.contains(PlacementRules.columnsOf(partitioning), column)) {
        throw refused(
            "trigger " + trigger + ", which sets NEW." + column,
            ": the column decides in which partition the row is");
      }
      if (automatic.filter(found -> found.name().equalsIgnoreCase(column)).isPresent()) {
        throw refused(
            "trigger " + trigger + ", which sets NEW." + column, ": the column is AUTO_INCREMENT");
      }
    }
  }

  /** Checks the triggers that a table has when it is altered. */
  public static void check(
      List<Trigger> triggers, Partitioning partitioning, Optional<Column> automatic) {
    triggers.forEach(trigger -> sets(trigger.name(), trigger.sets(), partitioning, automatic));
  }

  /** A column that a trigger names stays: all writes would fail. */
  public static void columnsStay(List<Trigger> triggers, AlterPlan plan) {
    Set<String> gone = new HashSet<>(plan.droppedColumns());
    gone.addAll(plan.renamedColumns().keySet());
    for (Trigger trigger : triggers) {
      for (String column : gone) {
        if (names(trigger.reads(), column) || names(trigger.sets(), column)) {
          throw refused(
              "an ALTER TABLE that drops or renames column " + column,
              ": trigger " + trigger.name() + " names it; drop the trigger first");
        }
      }
    }
  }

  private static boolean names(Collection<String> columns, String column) {
    return columns.stream().anyMatch(column::equalsIgnoreCase);
  }

  public static AlraiException refused(String what, String reason) {
    return AlraiException.unsupported("'" + what + "'" + reason);
  }
}
