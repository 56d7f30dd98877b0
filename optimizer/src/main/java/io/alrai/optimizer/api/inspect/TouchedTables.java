package io.alrai.optimizer.api.inspect;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TouchedTable;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which tables the body of a trigger may touch: those that are where the triggered row is. Asked
 * when a trigger is made, and at each plan, as tables come and go. Pure.
 */
public final class TouchedTables {
  private TouchedTables() {}

  /**
   * Checks one. What there is not is left to the mysqld, whose error is 1146 when the trigger runs.
   *
   * @param triggered the table of the trigger
   * @throws AlraiException 1235
   */
  public static void check(Catalog catalog, Table triggered, String trigger, TouchedTable touched) {
    String what = "trigger " + trigger + ", which names table " + touched.name();
    if (!(triggered.partitioning() instanceof Partitioning.Single)) {
      throw refused(
          what,
          "only triggers of SINGLE tables may use tables: ALTER TABLE "
              + triggered.name()
              + " SINGLE");
    }
    if (catalog.view(triggered.schema(), touched.name()).isPresent()) {
      throw refused(what, "it is a view; name the tables below it");
    }
    Optional<Table> found = catalog.table(triggered.schema(), touched.name());
    if (found.isEmpty()) {
      return;
    }
    Table table = found.get();
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      broadcast(what, touched);
      return;
    }
    if (touched.broadcast()) {
      throw refused(what, "it was a BROADCAST table when the trigger was made; make it anew");
    }
    boolean beside =
        table.partitioning() instanceof Partitioning.Single
            && table.tableGroupId() == triggered.tableGroupId();
    if (!beside) {
      throw refused(
          what,
          "it is not where "
              + triggered.name()
              + " is; both must be SINGLE and in one table group");
    }
    boolean givesIds =
        table.autoIncrementColumn().map(Column::name).filter(TouchedTables::isShown).isPresent();
    if (touched.has(Privilege.INSERT) && givesIds && !table.ownIds()) {
      throw refused(
          what,
          "it was made by an older version of Alrai, and its AUTO_INCREMENT ids come from a"
              + " sequence; make it anew (CREATE TABLE .. LIKE, INSERT .. SELECT, RENAME TABLE)");
    }
  }

  private static boolean isShown(String column) {
    return !column.equals(Table.IMPLICIT_KEY);
  }

  private static void broadcast(String what, TouchedTable touched) {
    if (touched.privileges() != Privilege.SELECT.bit()) {
      throw refused(what, "it is a BROADCAST table, which triggers may only read");
    }
    if (!touched.broadcast()) {
      throw refused(what, "it was no BROADCAST table when the trigger was made; make it anew");
    }
  }

  /**
   * Whether the triggers of a table change rows of tables that were there before: their own, or
   * those that they set off.
   */
  public static boolean changeRows(Catalog catalog, Table table) {
    return changeRows(catalog, table, new HashSet<>());
  }

  private static boolean changeRows(Catalog catalog, Table table, Set<String> seen) {
    if (!seen.add(table.name())) {
      return false;
    }
    return table.triggers().stream()
        .flatMap(trigger -> trigger.tables().stream())
        .anyMatch(touched ->
            touched.has(Privilege.UPDATE)
                || touched.has(Privilege.DELETE)
                || (touched.has(Privilege.INSERT)
                    && catalog
                        .table(table.schema(), touched.name())
                        .filter(other -> changeRows(catalog, other, seen))
                        .isPresent()));
  }

  static AlraiException refused(String what, String reason) {
    return AlraiException.unsupported("'" + what + "': " + reason);
  }
}
