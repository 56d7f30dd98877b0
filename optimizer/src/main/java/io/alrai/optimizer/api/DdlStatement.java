package io.alrai.optimizer.api;

import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement.TableName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** DDL statements, parsed as far as the shards need it. */
public sealed interface DdlStatement {
  /** The statement as the client sent it. */
  String sql();

  /** Runs as a job over the shards. */
  sealed interface Job extends DdlStatement {}

  /** Is about a database. */
  sealed interface OnDatabase extends Job {}

  /** Is about tables, their indexes or triggers. */
  sealed interface OnTable extends Job {}

  /** Is about views. */
  sealed interface OnView extends Job {}

  /** Is about accounts, roles and what they may do: one command of the catalog. */
  sealed interface OnAccount extends DdlStatement {}

  /** CREATE DATABASE; empty where a clause is not given. */
  record CreateDatabase(
      String sql,
      String name,
      boolean ifNotExists,
      Optional<String> charset,
      Optional<String> collation,
      Optional<Integer> defaultPartitions)
      implements OnDatabase {}

  /** ALTER DATABASE; an empty name is the current one, empty where a clause is not given. */
  record AlterDatabase(
      String sql,
      Optional<String> name,
      Optional<String> charset,
      Optional<String> collation,
      Optional<Integer> defaultPartitions)
      implements OnDatabase {}

  /** DROP DATABASE. */
  record DropDatabase(String sql, String name, boolean ifExists) implements OnDatabase {}

  /**
   * CREATE TABLE.
   *
   * @param name the table
   * @param partitioning the placement clause, if there is one
   * @param tableGroup the TABLEGROUP clause
   * @param body the statement's text after the table name without placement clauses: column list,
   *     table options and query as a plain mysqld understands them
   * @param query what fills it
   */
  record CreateTable(
      String sql,
      TableName name,
      boolean ifNotExists,
      boolean temporary,
      Optional<PlacementClause> partitioning,
      Optional<String> tableGroup,
      Optional<NewColumnIndex> columnIndex,
      String body,
      Optional<FillingQuery> query)
      implements OnTable {}

  /**
   * The query of CREATE TABLE ... SELECT. Its columns are the table's last ones, in their order.
   *
   * @param text of the query alone
   * @param verb INSERT, INSERT IGNORE or REPLACE: what becomes of rows with equal keys
   * @param definitions whether columns are defined before it
   */
  record FillingQuery(String text, String verb, boolean definitions) {}

  /** CREATE TABLE ... LIKE. */
  record CreateTableLike(
      String sql, TableName name, TableName source, boolean ifNotExists, boolean temporary)
      implements OnTable {}

  /** DROP TABLE. */
  record DropTables(String sql, List<TableName> names, boolean ifExists, boolean temporary)
      implements OnTable {
    public DropTables {
      names = List.copyOf(names);
    }
  }

  /**
   * ALTER TABLE that each partition runs by itself; CREATE INDEX and DROP INDEX come here too.
   *
   * @param actions what is to be done, without RENAME TO
   * @param renameTo present for RENAME TO
   */
  record AlterTable(
      String sql, TableName name, List<AlterAction> actions, Optional<TableName> renameTo)
      implements OnTable {
    public AlterTable {
      actions = List.copyOf(actions);
    }
  }

  /**
   * One action of ALTER TABLE.
   *
   * @param kind as far as rows are concerned
   * @param text as a plain mysqld understands it, byte-equal
   * @param column the column that is dropped, changed or renamed; empty for others
   * @param newName its name after the action
   * @param words all bare words and quoted identifiers in the text
   */
  record AlterAction(
      AlterKind kind, String text, String column, String newName, List<String> words) {
    public AlterAction {
      words = List.copyOf(words);
    }

    /** An action that names no column of its own. */
    public static AlterAction of(AlterKind kind, String text, List<String> words) {
      return new AlterAction(kind, text, "", "", words);
    }
  }

  /** What an action of ALTER TABLE does to rows. */
  enum AlterKind {
    /** Takes a column's values away. */
    DROP_COLUMN,
    /** CHANGE or MODIFY: may convert values. */
    CHANGE_COLUMN,
    /** RENAME COLUMN. */
    RENAME_COLUMN,
    /** CONVERT TO CHARACTER SET. */
    CONVERT,
    /** Changes the partitions that one mysqld has made of the table. */
    PARTITIONS,
    /** The AUTO_INCREMENT option, perhaps with others. */
    AUTO_INCREMENT,
    /** ALGORITHM, LOCK, VALIDATION: how the others are to be done. */
    MANNER,
    /** Anything else. */
    OTHER
  }

  /** ALTER TABLE t, ... SINGLE: moves the rows of tables into one partition. */
  record MakeSingle(String sql, List<TableName> names) implements OnTable {
    public MakeSingle {
      names = List.copyOf(names);
    }
  }

  /** CREATE CLUSTERED COLUMNAR INDEX. */
  record CreateColumnIndex(String sql, TableName table, NewColumnIndex index) implements OnTable {}

  /**
   * A column index that is to be made.
   *
   * @param columns its key; the index holds all columns of the table
   * @param partitioned whether a PARTITION BY clause followed, which says nothing here: an index
   *     has the partitions of its table
   */
  record NewColumnIndex(String name, List<String> columns, boolean partitioned) {
    public NewColumnIndex {
      columns = List.copyOf(columns);
    }
  }

  /**
   * CREATE TRIGGER.
   *
   * @param timing BEFORE or AFTER
   * @param event INSERT, UPDATE or DELETE
   * @param text from the word TRIGGER to the end
   */
  record CreateTrigger(
      String sql,
      TableName name,
      boolean ifNotExists,
      Optional<UserName> definer,
      String timing,
      String event,
      TableName table,
      Optional<TriggerOrder> order,
      String text,
      TriggerBody body)
      implements OnTable {}

  /** FOLLOWS or PRECEDES another trigger. */
  record TriggerOrder(boolean follows, String other) {}

  /** DROP TRIGGER. */
  record DropTrigger(String sql, TableName name, boolean ifExists) implements OnTable {}

  /** TRUNCATE TABLE. */
  record TruncateTable(String sql, TableName name) implements OnTable {}

  /** RENAME TABLE a TO b, ... */
  record RenameTables(String sql, List<Renaming> renamings) implements OnTable {
    public RenameTables {
      renamings = List.copyOf(renamings);
    }
  }

  /**
   * CREATE VIEW and ALTER VIEW.
   *
   * @param algorithm UNDEFINED, MERGE or TEMPTABLE, if given
   * @param security DEFINER or INVOKER, if given
   * @param body the text after the view's name
   */
  record CreateView(
      String sql,
      TableName name,
      ViewVerb verb,
      boolean ifNotExists,
      Optional<String> algorithm,
      Optional<UserName> definer,
      Optional<String> security,
      String body,
      ViewQuery query)
      implements OnView {}

  /** What is done with a view of the name. */
  enum ViewVerb {
    CREATE,
    CREATE_OR_REPLACE,
    ALTER
  }

  /**
   * A view's query.
   *
   * @param renamed whether names of columns stand before it
   * @param text of the query alone
   * @param checked whether WITH CHECK OPTION follows it
   */
  record ViewQuery(boolean renamed, String text, boolean checked) {}

  /** DROP VIEW. */
  record DropViews(String sql, List<TableName> names, boolean ifExists) implements OnView {
    public DropViews {
      names = List.copyOf(names);
    }
  }

  /**
   * CREATE USER.
   *
   * @param defaultRoles what each gets, active from its login on
   */
  record CreateUsers(
      String sql, List<UserChange> users, List<UserName> defaultRoles, boolean ifNotExists)
      implements OnAccount {
    public CreateUsers {
      users = List.copyOf(users);
      defaultRoles = List.copyOf(defaultRoles);
    }
  }

  /** CREATE ROLE. */
  record CreateRoles(String sql, List<UserName> roles, boolean ifNotExists) implements OnAccount {
    public CreateRoles {
      roles = List.copyOf(roles);
    }
  }

  /** DROP ROLE. */
  record DropRoles(String sql, List<UserName> roles, boolean ifExists) implements OnAccount {
    public DropRoles {
      roles = List.copyOf(roles);
    }
  }

  /**
   * GRANT of roles.
   *
   * @param admin WITH ADMIN OPTION
   */
  record GrantRoles(String sql, List<UserName> roles, List<UserName> users, boolean admin)
      implements OnAccount {
    public GrantRoles {
      roles = List.copyOf(roles);
      users = List.copyOf(users);
    }
  }

  /** REVOKE of roles. */
  record RevokeRoles(
      String sql,
      List<UserName> roles,
      List<UserName> users,
      boolean ifExists,
      boolean ignoreUnknown)
      implements OnAccount {
    public RevokeRoles {
      roles = List.copyOf(roles);
      users = List.copyOf(users);
    }
  }

  /** SET DEFAULT ROLE, and ALTER USER ... DEFAULT ROLE. */
  record SetDefaultRoles(String sql, RoleChoice choice, List<UserName> users) implements OnAccount {
    public SetDefaultRoles {
      users = List.copyOf(users);
    }
  }

  /** RENAME USER. */
  record RenameUsers(String sql, List<UserRenaming> renamings) implements OnAccount {
    public RenameUsers {
      renamings = List.copyOf(renamings);
    }
  }

  /** One pair of RENAME USER. */
  record UserRenaming(UserName from, UserName to) {}

  /** Some of an account's roles. */
  sealed interface RoleChoice {
    /** Those that are active from the login on. */
    record Default() implements RoleChoice {}

    /** NONE. */
    record None() implements RoleChoice {}

    /** ALL, but for some. */
    record All(List<UserName> except) implements RoleChoice {
      public All {
        except = List.copyOf(except);
      }
    }

    /** These. */
    record Listed(List<UserName> roles) implements RoleChoice {
      public Listed {
        roles = List.copyOf(roles);
      }
    }
  }

  /** ALTER USER and SET PASSWORD. */
  record AlterUsers(String sql, List<UserChange> users, boolean ifExists) implements OnAccount {
    public AlterUsers {
      users = List.copyOf(users);
    }

    /** Whether it was written as SET PASSWORD. */
    public boolean setsPassword() {
      return sql.stripLeading().regionMatches(true, 0, "SET", 0, 3);
    }
  }

  /** DROP USER. */
  record DropUsers(String sql, List<UserName> users, boolean ifExists) implements OnAccount {
    public DropUsers {
      users = List.copyOf(users);
    }
  }

  /**
   * GRANT of privileges.
   *
   * @param grantOption WITH GRANT OPTION
   */
  record GrantPrivileges(
      String sql,
      PrivilegeNames privileges,
      PrivilegeTarget target,
      List<UserName> users,
      boolean grantOption)
      implements OnAccount {
    public GrantPrivileges {
      users = List.copyOf(users);
    }
  }

  /** REVOKE of privileges. */
  record RevokePrivileges(
      String sql,
      PrivilegeNames privileges,
      PrivilegeTarget target,
      List<UserName> users,
      boolean ifExists,
      boolean ignoreUnknown)
      implements OnAccount {
    public RevokePrivileges {
      users = List.copyOf(users);
    }
  }

  /** REVOKE ALL PRIVILEGES, GRANT OPTION: of all levels. */
  record RevokeAll(String sql, List<UserName> users, boolean ignoreUnknown) implements OnAccount {
    public RevokeAll {
      users = List.copyOf(users);
    }
  }

  /** CREATE, ALTER or DROP of a procedure or function. */
  record OnRoutine(String sql, RoutineKind kind, TableName name, RoutineChange change)
      implements Job {}

  /**
   * Privileges as GRANT and REVOKE list them.
   *
   * @param all ALL [PRIVILEGES]: those of the level; then the others are empty
   * @param fixed static ones, perhaps GRANT OPTION; empty for USAGE
   * @param columns static ones for columns
   * @param dynamic other words, in upper case: dynamic privileges or none at all
   */
  record PrivilegeNames(
      boolean all, Set<Privilege> fixed, List<ColumnPrivilege> columns, List<String> dynamic) {
    public PrivilegeNames {
      fixed = Set.copyOf(fixed);
      columns = List.copyOf(columns);
      dynamic = List.copyOf(dynamic);
    }
  }

  /** A privilege for a column. */
  record ColumnPrivilege(String column, Privilege privilege) {}

  /**
   * What follows ON.
   *
   * @param schema the current one where none is given
   * @param name of a table, procedure or function; empty above these
   */
  record PrivilegeTarget(Level level, Optional<String> schema, String name) {}

  /** An account's name; the host is a pattern. */
  record UserName(String user, String host) {
    /** Stands for the account that the session logged in to. */
    public static final UserName CURRENT = new UserName("", "CURRENT_USER()");
  }

  /** What is to be set of an account; an empty one stays, or has MySQL's default when it is new. */
  record UserChange(
      UserName name,
      Optional<NewPassword> password,
      Optional<Boolean> requiresTls,
      Optional<Boolean> locked,
      PasswordOptions options,
      NewLimits limits) {
    @Override
    public String toString() {
      return "UserChange[" + name.user + "@" + name.host + "]";
    }
  }

  /**
   * What is said of passwords; the last that is said counts.
   *
   * @param expired whether PASSWORD EXPIRE stands alone
   * @param lifetimeDays of PASSWORD EXPIRE NEVER (0), DEFAULT (-1) and INTERVAL
   * @param failedLogins of FAILED_LOGIN_ATTEMPTS
   * @param lockDays of PASSWORD_LOCK_TIME; -1 for UNBOUNDED
   */
  record PasswordOptions(
      boolean expired,
      Optional<Integer> lifetimeDays,
      Optional<Integer> failedLogins,
      Optional<Integer> lockDays) {
    /** Nothing is said. */
    public static final PasswordOptions NONE =
        new PasswordOptions(false, Optional.empty(), Optional.empty(), Optional.empty());

    /** Whether nothing is said. */
    public boolean isEmpty() {
      return equals(NONE);
    }
  }

  /** One pair of RENAME TABLE. */
  record Renaming(TableName from, TableName to) {}
}
