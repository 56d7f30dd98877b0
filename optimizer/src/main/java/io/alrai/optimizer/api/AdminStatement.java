package io.alrai.optimizer.api;

import io.alrai.common.id.ClientXid;
import io.alrai.common.sql.VariableName;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import java.util.List;
import java.util.Optional;

/**
 * Statements that the CN runs by itself, by where they run. What else holds of each kind is in
 * {@link AdminTraits}.
 */
public sealed interface AdminStatement {
  /** What the parser of administrative statements makes; others are planned. */
  sealed interface Parsed extends AdminStatement {}

  /** Runs on the session's event loop, without waiting there. */
  sealed interface OnLoop extends Parsed {}

  /** Is about statements that the session knows by name. Begins on its event loop. */
  sealed interface ByName extends Parsed {}

  /** Needs what the session has for routines and handlers. On a virtual thread. */
  sealed interface OnSession extends AdminStatement {}

  /** Runs by what all sessions of the CN share. On a virtual thread. */
  sealed interface OnCn extends AdminStatement {}

  /** SET: answered by OK. */
  sealed interface Setting extends OnCn, Parsed {}

  /** SET NAMES and SET CHARACTER SET. */
  sealed interface Names extends Setting {}

  /** Takes locks over tables, gives them back, or flushes: answered by OK. */
  sealed interface Locking extends OnCn, Parsed {}

  /** Is answered by rows, and changes nothing. */
  sealed interface Report extends OnCn, Parsed {}

  /** Is about the cluster's nodes. */
  sealed interface OfNodes extends Report {}

  /** About what sessions do. */
  sealed interface OfSessions extends Report {}

  /** Changes tables or their rows. */
  sealed interface Change extends OnCn, Parsed {}

  /** Is planned from a statement over rows, whose privileges it needs. */
  sealed interface OverRows extends OnCn {}

  /**
   * BEGIN, START TRANSACTION.
   *
   * @param readOnly NO for READ WRITE, whatever the session's transactions are
   */
  record Begin(Wish readOnly, boolean consistentSnapshot) implements OnLoop {}

  /** COMMIT [AND [NO] CHAIN] [[NO] RELEASE]. */
  record Commit(Wish chain, Wish release) implements OnLoop {
    /** What COMMIT is whatever completion_type the session has. */
    public static final Commit PLAIN = new Commit(Wish.NO, Wish.NO);
  }

  /** ROLLBACK [AND [NO] CHAIN] [[NO] RELEASE]. */
  record Rollback(Wish chain, Wish release) implements OnLoop {
    /** What ROLLBACK is whatever completion_type the session has. */
    public static final Rollback PLAIN = new Rollback(Wish.NO, Wish.NO);
  }

  /** What a statement says of something that a variable decides where it says nothing. */
  enum Wish {
    UNSAID,
    YES,
    NO
  }

  /** SAVEPOINT name. */
  record Savepoint(String name) implements OnLoop {}

  /** ROLLBACK TO [SAVEPOINT] name. */
  record RollbackToSavepoint(String name) implements OnLoop {}

  /** RELEASE SAVEPOINT name. */
  record ReleaseSavepoint(String name) implements OnLoop {}

  /** XA START and what follows it. */
  record Xa(XaVerb verb, ClientXid xid, XaOption option) implements OnLoop {}

  /** XA RECOVER; where {@code convertsXid}, the xids are shown as numbers of bytes. */
  record XaRecover(boolean convertsXid) implements Report {}

  /** What is done with an XA transaction. */
  enum XaVerb {
    START,
    END,
    PREPARE,
    COMMIT,
    ROLLBACK
  }

  /** What follows the xid. */
  enum XaOption {
    NONE,
    JOIN,
    RESUME,
    SUSPEND,
    ONE_PHASE
  }

  /**
   * A statement with calls of functions that CNs interpret, whose arguments need no rows: their
   * values are put in their places first.
   */
  record WithCalls() implements OnSession {}

  /**
   * SET TRANSACTION.
   *
   * @param scope SESSION, GLOBAL, or NEXT for the next transaction only
   * @param isolation as in {@code REPEATABLE-READ}; empty where not given
   * @param readOnly empty where not given
   */
  record SetTransaction(VariableScope scope, Optional<String> isolation, Optional<Boolean> readOnly)
      implements Setting {}

  /** USE schema. */
  record Use(String schema) implements OnLoop {}

  /** SET a = b, ...: all or none. */
  record SetVariables(List<Assignment> assignments) implements Setting {
    public SetVariables {
      assignments = List.copyOf(assignments);
    }
  }

  /** One assignment. */
  sealed interface Assignment {
    /** Its SQL expression. */
    SqlTemplate value();

    /**
     * An assignment to a user variable.
     *
     * @param name in lower case, without {@code @}
     */
    record OfUser(String name, SqlTemplate value) implements Assignment {}

    /**
     * An assignment to a system variable. In its value the keyword DEFAULT stands as such; a bare
     * word such as ON or utf8mb4 is given as a string.
     */
    record OfSystem(VariableScope scope, VariableName name, SqlTemplate value)
        implements Assignment {}
  }

  /** Whose variable. */
  enum VariableScope {
    SESSION,
    GLOBAL,
    PERSIST,
    /** {@code @@name} without SESSION or GLOBAL in SET TRANSACTION: the next transaction. */
    NEXT
  }

  /** SET NAMES charset [COLLATE collation]; an empty charset is DEFAULT. */
  record SetNames(String charset, Optional<String> collation) implements Names {}

  /** SET CHARACTER SET charset; an empty one is DEFAULT. */
  record SetCharacterSet(String charset) implements Names {}

  /** SHOW [FULL] PROCESSLIST. */
  record ShowProcesslist(boolean full) implements Report {}

  /** SHOW GRANTS [FOR user]. */
  record ShowGrants(DdlStatement.UserName user, List<DdlStatement.UserName> using)
      implements Report {
    public ShowGrants {
      using = List.copyOf(using);
    }
  }

  /** SHOW CREATE USER. */
  record ShowCreateUser(DdlStatement.UserName user) implements Report {}

  /** SET ROLE. */
  record SetRole(DdlStatement.RoleChoice choice) implements Setting {}

  /** SHOW WARNINGS or ERRORS [LIMIT offset, count], or SHOW COUNT(*) ... */
  record ShowDiagnostics(boolean errorsOnly, boolean countOnly, long offset, long count)
      implements Report {}

  /** SHOW TOPOLOGY FROM table. */
  record ShowTopology(Optional<String> schema, String table) implements Report {}

  /** SHOW COLUMNAR INDEX [FROM table]. */
  record ShowColumnIndexes(Optional<TableName> table) implements Report {}

  /** CHECK COLUMNAR INDEX name ON table: compares it with the row store. */
  record CheckColumnIndex(String name, TableName table) implements Report {}

  /** SHOW DDL: the jobs. */
  record ShowDdl(boolean full) implements Report {}

  /** CANCEL DDL {ALL | job, ...}: has jobs rolled back; an empty list is ALL. */
  record CancelDdl(List<Long> jobs) implements Change {
    public CancelDdl {
      jobs = List.copyOf(jobs);
    }
  }

  /** SHOW NODES: CNs and DNs. */
  record ShowNodes() implements OfNodes {}

  /** SHOW [FULL] STORAGE: the DNs; with REPLICAS what each of their members says of itself. */
  record ShowStorage(boolean replicas) implements OfNodes {}

  /** About the members of DNs' groups. */
  record OfMembers(MembersStatement statement) implements Change {}

  /** About CCL rules. */
  record Ccl(CclStatement statement) implements Change {}

  /** SHOW TRANS: the open transactions of the CN's sessions. */
  record ShowTransactions() implements OfSessions {}

  /** SHOW TRACE: the steps of the last statement that the session has traced. */
  record ShowTrace() implements OfSessions {}

  /**
   * A statement that a mysqld answers from the shadow schemas, as the client sent it: SHOW TABLES,
   * SHOW CREATE TABLE, DESCRIBE, SHOW VARIABLES, SELECT over information_schema and the like.
   *
   * @param sql the text; holes only for session functions
   * @param into lower-case names without {@code @} of SELECT ... INTO @a, @b, which the text lacks
   */
  record FromShadow(SqlTemplate sql, List<String> into) implements OnCn, Parsed {
    public FromShadow {
      into = List.copyOf(into);
    }

    /** One whose answer is the client's. */
    public FromShadow(SqlTemplate sql) {
      this(sql, List.of());
    }
  }

  /**
   * SELECT ... INTO @a, @b.
   *
   * @param variables lower-case names without {@code @}
   * @param query without the INTO clause
   * @param lastInsertId whether LAST_INSERT_ID() may be another afterwards
   */
  record SelectInto(List<String> variables, Plan.Select query, boolean lastInsertId)
      implements OverRows {
    public SelectInto {
      variables = List.copyOf(variables);
    }
  }

  /**
   * A SELECT that assigns, {@code @a := ..}, {@code LAST_INSERT_ID(..)}, or a DO with a subquery or
   * an assignment.
   *
   * @param variables lower-case names without {@code @}
   * @param lastInsertId whether LAST_INSERT_ID() may be another afterwards
   * @param hasRows whether the client gets the rows; not for DO
   */
  record AssigningSelect(
      List<String> variables, boolean lastInsertId, Plan.Select query, boolean hasRows)
      implements OverRows {
    public AssigningSelect {
      variables = List.copyOf(variables);
    }

    /** Whether it leaves anything behind. */
    public boolean assigns() {
      return lastInsertId || !variables.isEmpty();
    }
  }

  /**
   * Named locks: a SELECT without tables that calls GET_LOCK or its like, or DO with such calls.
   *
   * @param sql a SELECT
   * @param calls what its columns tell of the session's locks
   * @param into the variables of INTO: lower-case names without {@code @}; empty for none
   * @param hasRows whether the client gets them; not for DO
   */
  record NamedLocks(SqlTemplate sql, LockCalls calls, List<String> into, boolean hasRows)
      implements OverRows {
    /** The user variable in which a connection with locks has its session's CONNECTION_ID(). */
    public static final String OWNER_VARIABLE = "__alrai_session";

    public NamedLocks {
      into = List.copyOf(into);
    }
  }

  /**
   * The calls in a SELECT that change which named locks the session has.
   *
   * @param takes whether GET_LOCK may be among them
   * @param columns for each column what it is a call of, where all calls are whole columns and are
   *     evaluated once for each row; empty where rows do not tell
   */
  record LockCalls(boolean takes, Optional<List<LockCall>> columns) {
    public LockCalls {
      columns = columns.map(List::copyOf);
    }
  }

  /** What a column is a call of. */
  enum LockCall {
    /** GET_LOCK. */
    GET,
    /** RELEASE_LOCK. */
    RELEASE,
    /** RELEASE_ALL_LOCKS. */
    RELEASE_ALL,
    /** Anything that changes nothing. */
    OTHER
  }

  /** KILL [CONNECTION | QUERY] id. */
  record Kill(boolean queryOnly, SqlTemplate id) implements OnLoop {}

  /** EXPLAIN SHARDING statement. */
  record ExplainSharding(String sql) implements Report {}

  /**
   * EXPLAIN of a statement, answered by one shard that would run it.
   *
   * @param into the user variable that takes the answer
   */
  record ExplainOnShard(Planned.Work explained, SqlTemplate sql, Optional<String> into)
      implements OverRows {}

  /** ANALYZE, CHECK, OPTIMIZE, REPAIR TABLE; FLUSH TABLES and the like: run at every place. */
  record TableMaintenance(String verb, List<TableName> tables, String options) implements Change {
    public TableMaintenance {
      tables = List.copyOf(tables);
    }
  }

  /**
   * CHECKSUM TABLE.
   *
   * @param quick whether only checksums that a table keeps are wanted: InnoDB's keep none
   */
  record ChecksumTables(List<TableName> tables, boolean quick) implements Report {
    public ChecksumTables {
      tables = List.copyOf(tables);
    }
  }

  /** LOCK TABLES. */
  record LockTables(List<TableLock> locks) implements Locking {
    public LockTables {
      locks = List.copyOf(locks);
    }
  }

  /**
   * A table of LOCK TABLES.
   *
   * @param alias the name that statements must use; empty where it is the table's
   * @param write whether nobody else may read it either
   */
  record TableLock(TableName table, Optional<String> alias, boolean write) {}

  /** UNLOCK TABLES. */
  record UnlockTables() implements Locking {}

  /**
   * FLUSH TABLES ... WITH READ LOCK.
   *
   * @param tables empty for the lock over the whole cluster
   */
  record FlushWithReadLock(List<TableName> tables) implements Locking {
    public FlushWithReadLock {
      tables = List.copyOf(tables);
    }
  }

  /** LOCK INSTANCE FOR BACKUP. */
  record LockInstance() implements Locking {}

  /** UNLOCK INSTANCE. */
  record UnlockInstance() implements Locking {}

  /**
   * FLUSH TABLES: handlers on them begin anew.
   *
   * @param tables empty for all
   */
  record FlushTables(List<TableName> tables) implements Locking {
    public FlushTables {
      tables = List.copyOf(tables);
    }
  }

  /** HANDLER. */
  record Handler(HandlerStatement statement) implements OnSession, Parsed {}

  /** FLUSH and others that change nothing a client could see here. */
  record NoOperation(String verb) implements Locking {}

  /**
   * LOAD DATA LOCAL INFILE.
   *
   * @param file the name that the client is asked for
   * @param table the target
   * @param duplicates REPLACE, IGNORE or empty
   * @param format how the file is written
   * @param columns the column list; empty for all; a user variable stands with its {@code @}
   * @param set what follows SET
   */
  record LoadDataLocal(
      String file,
      TableName table,
      String duplicates,
      FileFormat format,
      List<String> columns,
      List<ColumnValue> set)
      implements Change {
    public LoadDataLocal {
      columns = List.copyOf(columns);
      set = List.copyOf(set);
    }
  }

  /** A column of a loaded row and the SQL of its value. */
  record ColumnValue(String column, SqlTemplate value) {}

  /**
   * FIELDS, LINES, CHARACTER SET and IGNORE clauses of LOAD DATA, with MySQL's defaults; an empty
   * charset is the schema's.
   */
  record FileFormat(
      String charset,
      FileMark fieldsTerminatedBy,
      FileMark enclosedBy,
      boolean optionallyEnclosed,
      FileMark escapedBy,
      FileMark linesStartingBy,
      FileMark linesTerminatedBy,
      long ignoreLines) {}

  /**
   * PREPARE name FROM 'text' or @variable.
   *
   * @param name in lower case
   * @param source the text, or the variable's lower-case name without {@code @}
   */
  record Prepare(String name, String source, boolean fromVariable) implements ByName {}

  /** EXECUTE name USING @a, @b. */
  record Execute(String name, List<String> variables) implements ByName {
    public Execute {
      variables = List.copyOf(variables);
    }
  }

  /** DEALLOCATE PREPARE name. */
  record Deallocate(String name) implements ByName {}

  /**
   * SIGNAL, RESIGNAL or GET DIAGNOSTICS outside of procedures.
   *
   * @param sql the text, which {@link io.alrai.optimizer.api.routine.RoutineParser} reads
   */
  record OnConditions(String sql) implements OnSession, Parsed {}

  /** CALL of a stored procedure. */
  record Call(TableName name, List<CallArgument> arguments) implements OnSession, Parsed {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * An argument of CALL.
   *
   * @param value the expression
   * @param slot the slot that it is; -1 where it is none
   * @param variable the user variable that it is, in lower case without {@code @}; else empty
   */
  record CallArgument(SqlTemplate value, int slot, String variable) {}

  /** Any DDL. */
  record Ddl(DdlStatement statement) implements Change {}

  /** A table's name as written. */
  record TableName(Optional<String> schema, String table) {}
}
