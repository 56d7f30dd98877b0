package io.alrai.optimizer.route;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TouchedTable;
import io.alrai.gms.api.Trigger;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.inspect.TouchedTables;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The triggers that a statement may run, and those that these set off. The mysqlds run them in the
 * name of an account that may do everything, so what their definers may do is asked here: at each
 * plan, which goes with the catalog's version. MySQL asks when the first row comes to the trigger.
 * Pure.
 */
public final class FiredTriggers {
  /** What a body may do to a table; INSERT, UPDATE and DELETE are the events of its triggers. */
  private static final List<Privilege> USES =
      List.of(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

  private FiredTriggers() {}

  /**
   * Checks the definers of a table's triggers.
   *
   * @param events what the statement may do to rows: INSERT, UPDATE, DELETE
   * @throws AlraiException 1449 for a definer that is gone, 1142 and 1143 for one that lacks a
   *     privilege, 1235 for a body over tables that are elsewhere
   */
  public static void check(Catalog catalog, Table table, Set<String> events) {
    check(catalog, table, events, new HashSet<>());
  }

  /** Each trigger once: what comes back to a table is the mysqld's error 1442. */
  private static void check(Catalog catalog, Table table, Set<String> events, Set<String> seen) {
    for (Trigger trigger : table.triggers()) {
      if (events.contains(trigger.event()) && seen.add(trigger.name())) {
        check(catalog, table, trigger);
        refuseInterpreted(catalog, table, trigger);
        trigger.tables().forEach(touched -> touched(catalog, table, trigger, touched, seen));
      }
    }
  }

  /** The mysqld would run such a function in a schema without rows. */
  private static void refuseInterpreted(Catalog catalog, Table table, Trigger trigger) {
    if (!catalog.hasFunctions()) {
      return;
    }
    boolean ansiQuotes = trigger.sqlMode().contains("ANSI");
    boolean noBackslashEscapes = trigger.sqlMode().contains("NO_BACKSLASH_ESCAPES");
    TokenCursor body = TokenCursor.ofProgram(trigger.body(), ansiQuotes, noBackslashEscapes);
    Planner.Context context =
        new Planner.Context(catalog, table.schema(), ansiQuotes, noBackslashEscapes);
    for (FunctionCalls.Call call : FunctionCalls.in(body, context)) {
      for (StoredFunction function : FunctionCalls.called(catalog, call.function())) {
        if (function.interpreted().isPresent()) {
          throw Planning.unsupported(
              "trigger "
                  + trigger.name()
                  + ", which calls function "
                  + function.name()
                  + ", which uses tables or the session");
        }
      }
    }
  }

  private static void touched(
      Catalog catalog, Table table, Trigger trigger, TouchedTable touched, Set<String> seen) {
    TouchedTables.check(catalog, table, trigger.name(), touched);
    Optional<Table> found = catalog.table(table.schema(), touched.name());
    if (found.isEmpty()) {
      return;
    }
    Access access = access(catalog, trigger);
    Set<String> events = new HashSet<>();
    for (Privilege privilege : USES) {
      if (touched.has(privilege)) {
        require(access, found.get(), trigger, privilege);
        events.add(privilege.name());
      }
    }
    check(catalog, found.get(), events, seen);
  }

  private static Access access(Catalog catalog, Trigger trigger) {
    Account account = catalog.accounts().get(trigger.definer());
    if (account == null) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_USER, Account.unknownDefiner(trigger.definer()));
    }
    return Access.ofLogin(account, catalog);
  }

  private static void require(Access access, Table table, Trigger trigger, Privilege privilege) {
    boolean has = (access.on(table.schema(), table.name()) & privilege.bit()) != 0;
    if (!has && !access.everything()) {
      throw new AlraiException(
          ErrorCode.ER_TABLEACCESS_DENIED_ERROR,
          privilege.sql()
              + " command denied to user "
              + quoted(trigger)
              + " for table '"
              + table.name()
              + "'");
    }
  }

  private static void check(Catalog catalog, Table table, Trigger trigger) {
    Access access = access(catalog, trigger);
    if (access.everything()) {
      return;
    }
    require(access, table, trigger, Privilege.TRIGGER);
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
  public static Set<String> ofInsert(boolean replaces, boolean updates) {
    return replaces
        ? Set.of("INSERT", "DELETE")
        : updates ? Set.of("INSERT", "UPDATE") : Set.of("INSERT");
  }

  /**
   * Refuses an UPDATE that moves rows: it would run the triggers of DELETE and INSERT.
   *
   * @param column of the partition key
   */
  public static void refuseMove(Table table, String column) {
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
