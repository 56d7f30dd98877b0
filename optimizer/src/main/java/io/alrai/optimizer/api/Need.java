package io.alrai.optimizer.api;

import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import java.util.List;

/**
 * One thing that a statement needs of the account that sends it, with what MySQL's error says where
 * it is missing. Privileges are bits of {@link io.alrai.gms.api.Privilege}.
 */
public sealed interface Need {
  /** Is of one table, named as the statement names it. */
  sealed interface NamedTable extends Need {
    /** Its schema. */
    String schema();

    /** Its name. */
    String table();
  }

  /**
   * All of these on a table or view; 1142.
   *
   * @param byColumn whether they may be there for some column only: needs of their own ask for the
   *     columns
   */
  record OnTable(String schema, String table, long privileges, boolean byColumn)
      implements NamedTable {
    /** On the whole table. */
    public OnTable(String schema, String table, long privileges) {
      this(schema, table, privileges, false);
    }
  }

  /**
   * At least one of these, perhaps for some column only; 1142 with this word for the command.
   *
   * @param whole whether a privilege for a column is not enough
   * @param exact whether the error names the account's host pattern, not the client's host
   */
  record AnyOnTable(
      String schema, String table, long anyOf, String command, boolean whole, boolean exact)
      implements NamedTable {}

  /** REFERENCES on the parent of a foreign key; 1142 with the schema's name. */
  record ParentTable(String schema, String table) implements Need {}

  /** One of these privileges to read or write a column; 1143. */
  record OnColumn(String schema, String table, String column, long anyOf) implements NamedTable {}

  /**
   * One of these privileges on each column that {@code *} stands for; 1142, or 1143 where the first
   * is missing.
   */
  record OnColumns(String schema, String table, List<String> columns, long anyOf)
      implements NamedTable {
    public OnColumns {
      columns = List.copyOf(columns);
    }
  }

  /** What SELECT ... FOR UPDATE needs besides SELECT; 1142. */
  record LockingRead(String schema, String table) implements NamedTable {}

  /** All of these on a schema; 1044. */
  record OnSchema(String schema, long privileges) implements Need {}

  /**
   * Anything in a schema; 1044.
   *
   * @param shown whether the error names the client's host: SHOW CREATE DATABASE
   */
  record UsesSchema(String schema, boolean shown) implements Need {}

  /**
   * One of these globally; 1227.
   *
   * @param names as the error lists them
   */
  record Global(long anyOf, List<DynamicPrivilege> orAnyOf, String names) implements Need {
    public Global {
      orAnyOf = List.copyOf(orAnyOf);
    }
  }

  /**
   * What a view that is read in its invoker's name needs below it; 1356.
   *
   * @param columns SELECT is needed on these only; empty for the table, or some column of it where
   *     needs of their own ask for the columns
   */
  record InView(
      String viewSchema,
      String view,
      String schema,
      String table,
      long privileges,
      List<String> columns)
      implements Need {
    public InView {
      columns = List.copyOf(columns);
    }
  }

  /** EXECUTE on a function that a view calls which is read in its invoker's name; 1356. */
  record CalledInView(String viewSchema, String view, String schema, String function)
      implements Need {}

  /** What EXPLAIN needs of a view and of what it reads; 1345. */
  record Explained(String schema, String table, long privileges) implements Need {}

  /** A privilege on a procedure or function, whether or not it is there; 1370. */
  record OnRoutine(RoutineKind kind, String schema, String routine, Privilege privilege)
      implements Need {}

  /** Something on a routine that is shown, being its definer, or seeing all; 1305. */
  record ShownRoutine(RoutineKind kind, String schema, String routine, String definer)
      implements Need {}

  /** TRIGGER on the table of a trigger that is shown; 1227. */
  record ShownTrigger(String schema, String table) implements Need {}

  /** SYSTEM_USER, where the definer of a view or routine has it; 1227. */
  record OfDefiner(String definer) implements Need {}

  /** Nothing, not even a password that is good: ALTER USER, which asks where it runs. */
  record Unasked() implements Need {}

  /** Being this account, or the right to act for others; 1227. */
  record AsDefiner(String definer) implements Need {}
}
