package io.alrai.optimizer.lower;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The triggers that a statement may run. The mysqlds run them in the name of an account that may do
 * everything, so what their definers may do is asked here: at each plan, which goes with the
 * catalog's version. MySQL asks when the first row comes to the trigger. Pure.
 */
final class FiredTriggers {
  private FiredTriggers() {}

  /**
   * Checks the definers of a table's triggers.
   *
   * @param events what the statement may do to rows: INSERT, UPDATE, DELETE
   * @throws AlraiException 1449 for a definer that is gone, 1142 and 1143 for one that lacks a
   *     privilege
   */
  static void check(Catalog catalog, Table table, Set<String> events) {
    for (Trigger trigger : table.triggers()) {
      if (events.contains(trigger.event())) {
        check(catalog, table, trigger);
      }
    }
  }

  private static void check(Catalog catalog, Table table, Trigger trigger) {
    Account account = catalog.accounts().get(trigger.definer());
    if (account == null) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_USER,
          "The user specified as a definer (" + quoted(trigger) + ") does not exist");
    }
    Access access = Access.ofLogin(account, catalog);
    if (access.everything()) {
      return;
    }
    if ((access.on(table.schema(), table.name()) & Privilege.TRIGGER.bit()) == 0) {
      throw new AlraiException(
          ErrorCode.ER_TABLEACCESS_DENIED_ERROR,
          "TRIGGER command denied to user "
              + quoted(trigger)
              + " for table '"
              + table.name()
              + "'");
    }
    columns(access, table, trigger, trigger.reads(), Privilege.SELECT);
    columns(access, table, trigger, trigger.sets(), Privilege.UPDATE);
  }

  private static void columns(
      Access access, Table table, Trigger trigger, Collection<String> names, Privilege privilege) {
    for (String column : names) {
      if ((access.onColumn(table.schema(), table.name(), column) & privilege.bit()) == 0) {
        throw new AlraiException(
            ErrorCode.ER_COLUMNACCESS_DENIED_ERROR,
            privilege.sql()
                + " command denied to user "
                + quoted(trigger)
                + " for column '"
                + column
                + "' in table '"
                + table.name()
                + "'");
      }
    }
  }

  private static String quoted(Trigger trigger) {
    int at = trigger.definer().lastIndexOf('@');
    return "'"
        + trigger.definer().substring(0, at)
        + "'@'"
        + trigger.definer().substring(at + 1)
        + "'";
  }

  /** Which events an INSERT has. */
  static Set<String> ofInsert(boolean replaces, boolean updates) {
    return replaces
        ? Set.of("INSERT", "DELETE")
        : updates ? Set.of("INSERT", "UPDATE") : Set.of("INSERT");
  }

  /**
   * Refuses an UPDATE that moves rows: it would run the triggers of DELETE and INSERT.
   *
   * @param column of the partition key
   */
  static void refuseMove(Table table, String column) {
    List<Trigger> triggers = table.triggers();
    if (!triggers.isEmpty()) {
      throw Planning.unsupported(
          "an UPDATE of the partition key column '"
              + column
              + "' of a table with triggers ("
              + triggers.getFirst().name()
              + "), as it would move rows; DELETE them and INSERT them again");
    }
  }
}
