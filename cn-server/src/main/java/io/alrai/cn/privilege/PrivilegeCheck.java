package io.alrai.cn.privilege;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.TemporaryTables;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.ReservedAccounts;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import java.util.Locale;

/** Compares what a statement needs with what the session's account has. Stateless. */
public final class PrivilegeCheck {
  private static final long LOCKING =
      Privilege.bits(Privilege.UPDATE, Privilege.DELETE, Privilege.LOCK_TABLES);

  private static final long TELLING_OF_ROUTINES =
      Privilege.bits(Privilege.EXECUTE, Privilege.CREATE_ROUTINE, Privilege.ALTER_ROUTINE);

  private PrivilegeCheck() {}

  /**
   * Checks a statement. Nothing to look at for an account with all privileges.
   *
   * @throws AlraiException the first of MySQL's errors: 1044, 1142, 1143, 1227, 1345, 1356 or 1820
   */
  public static void check(Needs needs, Session session, Catalog catalog) {
    Access access = session.user().access(catalog);
    if (access.everything()) {
      return;
    }
    requirePassword(access, needs.changesAccounts());
    if (needs.coveredBy(access)) {
      return;
    }
    for (Need need : access.hasColumns() ? needs.byColumn() : needs.all()) {
      if (!isOfOwnTable(need, session.temporary())) {
        check(need, access, session.user().identity(), catalog);
      }
    }
  }

  /** A session may do anything with a temporary table that it has made. */
  private static boolean isOfOwnTable(Need need, TemporaryTables own) {
    return need instanceof Need.NamedTable on && own.table(on.schema(), on.table()).isPresent();
  }

  private static void check(Need need, Access access, ClientIdentity who, Catalog catalog) {
    switch (need) {
      case Need.OnTable table -> {
        long had =
            table.byColumn()
                ? access.onSome(table.schema(), table.table())
                : access.on(table.schema(), table.table());
        long missing = table.privileges() & ~had;
        if (missing != 0) {
          throw Denied.table(who, Privilege.list(missing), table.table());
        }
      }
      case Need.AnyOnTable table -> anyOnTable(table, access, who);
      case Need.ParentTable parent -> {
        long has = access.on(parent.schema(), parent.table());
        if ((has & Privilege.REFERENCES.bit()) == 0) {
          throw Denied.table(who, "REFERENCES", parent.schema() + "." + parent.table());
        }
      }
      case Need.OnColumn column -> {
        long had = access.onColumn(column.schema(), column.table(), column.column());
        if ((column.anyOf() & had) == 0) {
          throw Denied.column(who, command(column.anyOf()), column.column(), column.table());
        }
      }
      case Need.OnColumns columns -> onColumns(columns, access, who);
      case Need.LockingRead read -> {
        if ((LOCKING & access.onSome(read.schema(), read.table())) == 0) {
          throw Denied.table(who, "SELECT with locking clause", read.table());
        }
      }
      case Need.OnSchema schema -> {
        if ((schema.privileges() & ~access.in(schema.schema())) != 0) {
          throw Denied.schema(who, schema.schema());
        }
      }
      case Need.UsesSchema schema -> usesSchema(schema, access, who);
      case Need.Global global -> {
        boolean dynamic = global.orAnyOf().stream().anyMatch(access::has);
        if (!dynamic && (access.global() & global.anyOf()) == 0) {
          throw Denied.lacking(global.names());
        }
      }
      case Need.InView view -> inView(view, access);
      case Need.CalledInView called -> calledInView(called, access);
      case Need.Explained view -> explained(view, access);
      case Need.ShownTrigger shown -> shownTrigger(shown, access);
      case Need.OnRoutine routine -> onRoutine(routine, access, who);
      case Need.ShownRoutine shown -> shownRoutine(shown, access);
      case Need.OfDefiner view -> requirePeer(access, catalog, view.definer());
      case Need.AsDefiner view -> asDefiner(view.definer(), access, catalog);
      case Need.Unasked _ -> {
        // for everybody
      }
    }
  }

  private static void calledInView(Need.CalledInView called, Access access) {
    long had = access.on(RoutineKind.FUNCTION, called.schema(), called.function());
    if ((had & Privilege.EXECUTE.bit()) == 0) {
      throw invalidView(called.viewSchema(), called.view());
    }
  }

  private static void shownTrigger(Need.ShownTrigger shown, Access access) {
    if ((access.on(shown.schema(), shown.table()) & Privilege.TRIGGER.bit()) == 0) {
      throw Denied.lacking("TRIGGER");
    }
  }

  private static void onRoutine(Need.OnRoutine routine, Access access, ClientIdentity who) {
    long had = access.on(routine.kind(), routine.schema(), routine.routine());
    if ((had & routine.privilege().bit()) == 0) {
      throw Denied.routine(who, routine.privilege().bit(), routine.schema(), routine.routine());
    }
  }

  private static void shownRoutine(Need.ShownRoutine shown, Access access) {
    if (!knowsRoutine(access, shown.kind(), shown.schema(), shown.routine(), shown.definer())) {
      throw new AlraiException(
          ErrorCode.ER_SP_DOES_NOT_EXIST, shown.kind() + " " + shown.routine() + " does not exist");
    }
  }

  /** Whether an account may see a procedure or function; its text is another question. */
  public static boolean knowsRoutine(
      Access access, RoutineKind kind, String schema, String routine, String definer) {
    return seesRoutine(access, definer)
        || (access.on(kind, schema, routine) & TELLING_OF_ROUTINES) != 0;
  }

  /** Whether an account may see the text of a procedure or function. */
  public static boolean seesRoutine(Access access, String definer) {
    return definer.equals(access.account())
        || access.has(DynamicPrivilege.SHOW_ROUTINE)
        || access.has(Privilege.SELECT);
  }

  /** A password that has expired is to be changed first. */
  private static void requirePassword(Access access, boolean changed) {
    if (access.expired() && !changed) {
      throw new AlraiException(
          ErrorCode.ER_MUST_CHANGE_PASSWORD,
          "You must reset your password using ALTER USER statement before executing this"
              + " statement.");
    }
  }

  /** A view's maker needs any of several. */
  private static String command(long anyOf) {
    return Long.bitCount(anyOf) == 1 ? Privilege.list(anyOf) : "ANY";
  }

  /**
   * The error names the first column that may not be used, unless one before it may be used: then
   * the table.
   */
  private static void onColumns(Need.OnColumns star, Access access, ClientIdentity who) {
    if ((star.anyOf() & access.on(star.schema(), star.table())) != 0) {
      return;
    }
    boolean some = false;
    for (String column : star.columns()) {
      long had = access.ofColumn(star.schema(), star.table(), column);
      some |= had != 0;
      if ((star.anyOf() & had) == 0) {
        throw some
            ? Denied.table(who, command(star.anyOf()), star.table())
            : Denied.column(who, command(star.anyOf()), column, star.table());
      }
    }
  }

  private static void anyOnTable(Need.AnyOnTable table, Access access, ClientIdentity who) {
    long had =
        table.whole()
            ? access.on(table.schema(), table.table())
            : access.onSome(table.schema(), table.table());
    if ((table.anyOf() & had) == 0) {
      throw table.exact()
          ? Denied.tableOfAccount(who, table.command(), table.table())
          : Denied.table(who, table.command(), table.table());
    }
  }

  private static void usesSchema(Need.UsesSchema schema, Access access, ClientIdentity who) {
    if (!uses(access, schema.schema())) {
      throw schema.shown()
          ? Denied.shownSchema(who, schema.schema())
          : Denied.schema(who, schema.schema());
    }
  }

  private static void explained(Need.Explained view, Access access) {
    if ((view.privileges() & ~access.on(view.schema(), view.table())) != 0) {
      throw new AlraiException(
          ErrorCode.ER_VIEW_NO_EXPLAIN,
          "EXPLAIN/SHOW can not be issued; lacking privileges for underlying table");
    }
  }

  private static void inView(Need.InView view, Access access) {
    boolean lacking =
        view.columns().isEmpty()
            ? (view.privileges() & ~below(view, access)) != 0
            : view.columns().stream()
                .anyMatch(column ->
                    (view.privileges() & ~access.onColumn(view.schema(), view.table(), column))
                        != 0);
    if (lacking) {
      throw invalidView(view.viewSchema(), view.view());
    }
  }

  private static AlraiException invalidView(String schema, String view) {
    return new AlraiException(
        ErrorCode.ER_VIEW_INVALID,
        "View '"
            + schema
            + "."
            + view
            + "' references invalid table(s) or column(s) or function(s) or definer/invoker of"
            + " view lack rights to use them");
  }

  /** Reading is asked for by column, writing is not. */
  private static long below(Need.InView view, Access access) {
    return view.privileges() == Privilege.SELECT.bit()
        ? access.onSome(view.schema(), view.table())
        : access.on(view.schema(), view.table());
  }

  private static void asDefiner(String definer, Access access, Catalog catalog) {
    if (definer.equals(access.account())) {
      return;
    }
    if (!access.has(Privilege.SUPER) && !access.has(DynamicPrivilege.SET_ANY_DEFINER)) {
      throw Denied.lacking("SUPER or SET_ANY_DEFINER");
    }
    if (ReservedAccounts.has(Account.userOf(definer))) {
      throw Denied.lacking("SYSTEM_USER"); // which the mysqld's own accounts have
    }
    requirePeer(access, catalog, definer);
  }

  /**
   * An account with SYSTEM_USER is touched by its like only.
   *
   * @throws AlraiException 1227
   */
  public static void requirePeer(Access access, Catalog catalog, String account) {
    Account other = catalog.accounts().get(account);
    if (other != null
        && other.grants().dynamic().containsKey(DynamicPrivilege.SYSTEM_USER)
        && !access.has(DynamicPrivilege.SYSTEM_USER)) {
      throw Denied.lacking("SYSTEM_USER");
    }
  }

  /**
   * Checks the choice of a schema, before anybody looks whether it is there.
   *
   * @throws AlraiException 1044
   */
  public static void requireUse(Session session, Catalog catalog, String schema) {
    if (!uses(session.user().access(catalog), schema)) {
      throw Denied.schema(session.user().identity(), schema);
    }
  }

  /**
   * Checks that the session's account has a global privilege.
   *
   * @throws AlraiException 1227
   */
  public static void require(
      Session session, Catalog catalog, Privilege privilege, DynamicPrivilege orThis) {
    Access access = session.user().access(catalog);
    if (!access.has(privilege) && !access.has(orThis)) {
      throw Denied.lacking(privilege.sql() + " or " + orThis.name());
    }
  }

  /**
   * Checks that a DDL job may be cancelled.
   *
   * @param owner name of the account whose statement it is
   * @throws AlraiException 1227 for one of another user, without CONNECTION_ADMIN and SUPER
   */
  public static void requireJobsOwner(Session session, Catalog catalog, String owner) {
    Access access = session.user().access(catalog);
    boolean own = access.user().equals(owner);
    if (!own && !access.has(Privilege.SUPER) && !access.has(DynamicPrivilege.CONNECTION_ADMIN)) {
      throw Denied.lacking("SUPER or CONNECTION_ADMIN");
    }
  }

  /** Everybody may use what shows only what they may see. */
  private static boolean uses(Access access, String schema) {
    return access.everything()
        || access.uses(schema)
        || schema.toLowerCase(Locale.ROOT).equals("information_schema");
  }
}
