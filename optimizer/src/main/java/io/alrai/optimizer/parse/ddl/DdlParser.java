package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.Renaming;
import io.alrai.optimizer.api.RoutineChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * DDL text to {@link DdlStatement}. Reads no further than placement asks for: column lists and
 * table options stay text, and their errors are found by the mysqld that gets them. Pure.
 */
public final class DdlParser {
  private final DdlCursor cursor;

  private DdlParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Parses a statement with MySQL's default quotes.
   *
   * @return empty when it is no DDL statement
   * @throws AlraiException ER_PARSE_ERROR, or ER_NOT_SUPPORTED_YET for DDL that Alrai refuses
   */
  public static Optional<DdlStatement> parse(String sql) {
    return parse(sql, false, false);
  }

  /**
   * Parses a statement.
   *
   * @param ansiQuotes whether sql_mode has ANSI_QUOTES
   * @param noBackslashEscapes whether it has NO_BACKSLASH_ESCAPES
   * @return empty when it is no DDL statement
   * @throws AlraiException ER_PARSE_ERROR, or ER_NOT_SUPPORTED_YET for DDL that Alrai refuses
   */
  public static Optional<DdlStatement> parse(
      String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    DdlCursor cursor = new DdlCursor(sql, new DdlTokens.Quotes(ansiQuotes, noBackslashEscapes));
    Optional<DdlStatement> statement = new DdlParser(cursor).statement();
    // a body has semicolons, and is read to its end
    if (statement.isPresent() && !hasBody(statement.get())) {
      cursor.requireOneStatement();
    }
    return statement;
  }

  private static boolean hasBody(DdlStatement statement) {
    return statement instanceof DdlStatement.CreateTrigger
        || (statement instanceof DdlStatement.OnRoutine routine
            && (routine.change() instanceof RoutineChange.CreateProcedure
                || routine.change() instanceof RoutineChange.CreateFunction));
  }

  static AlraiException notSupported(String what, String instead) {
    return AlraiException.unsupported("'" + what + "'" + instead);
  }

  private Optional<DdlStatement> statement() {
    if (cursor.take("CREATE")) {
      return Optional.of(create());
    }
    if (cursor.take("ALTER")) {
      return Optional.of(alter());
    }
    if (cursor.sees("DROP", "PREPARE")) {
      return Optional.empty();
    }
    if (cursor.take("DROP")) {
      return Optional.of(drop());
    }
    if (cursor.take("TRUNCATE")) {
      cursor.take("TABLE");
      TableName name = cursor.tableName();
      cursor.expectEnd();
      return Optional.of(new DdlStatement.TruncateTable(cursor.sql(), name));
    }
    if (cursor.take("RENAME")) {
      return Optional.of(rename());
    }
    if (cursor.take("GRANT")) {
      return Optional.of(new PrivilegeParser(cursor).grant());
    }
    if (cursor.take("REVOKE")) {
      return Optional.of(new PrivilegeParser(cursor).revoke());
    }
    if (cursor.take("SET", "DEFAULT", "ROLE")) {
      return Optional.of(new RoleParser(cursor).setDefaultRoles());
    }
    if (cursor.take("SET", "PASSWORD")) {
      return Optional.of(new AccountDdlParser(cursor).setPassword());
    }
    return Optional.empty();
  }

  private DdlStatement create() {
    if (cursor.take("DATABASE") || cursor.take("SCHEMA")) {
      return createDatabase();
    }
    if (cursor.take("TEMPORARY")) {
      cursor.expect("TABLE");
      return new CreateTableParser(cursor).createTable(true);
    }
    if (cursor.take("TABLE")) {
      return new CreateTableParser(cursor).createTable(false);
    }
    if (cursor.take("USER")) {
      return new AccountDdlParser(cursor).createUsers();
    }
    if (cursor.take("ROLE")) {
      return new RoleParser(cursor).createRoles();
    }
    if (cursor.take("CLUSTERED", "COLUMNAR", "INDEX")) {
      return columnIndex();
    }
    ViewDdlParser view = new ViewDdlParser(cursor);
    if (view.seesView()) {
      return view.createView();
    }
    TriggerDdlParser trigger = new TriggerDdlParser(cursor);
    if (trigger.seesTrigger()) {
      return trigger.createTrigger();
    }
    RoutineDdlParser routine = new RoutineDdlParser(cursor);
    Optional<RoutineKind> kind = routine.seen();
    if (kind.isPresent()) {
      return routine.create(kind.get());
    }
    AlterTableParser alter = new AlterTableParser(cursor);
    return alter.seesIndex() ? alter.createIndex() : refuse("CREATE");
  }

  /** CREATE CLUSTERED COLUMNAR INDEX name ON table (columns) [PARTITION BY anything]. */
  private DdlStatement columnIndex() {
    String name = cursor.identifier();
    cursor.expect("ON");
    TableName table = cursor.tableName();
    List<String> columns = cursor.identifiers();
    boolean partitioned = cursor.take("PARTITION", "BY");
    if (partitioned) {
      cursor.moveTo(cursor.size());
    }
    cursor.expectEnd();
    return new DdlStatement.CreateColumnIndex(
        cursor.sql(), table, new DdlStatement.NewColumnIndex(name, columns, partitioned));
  }

  private DdlStatement alter() {
    if (cursor.take("DATABASE") || cursor.take("SCHEMA")) {
      return alterDatabase();
    }
    if (cursor.take("TABLE")) {
      return new AlterTableParser(cursor).alterTable();
    }
    if (cursor.take("USER")) {
      return new AccountDdlParser(cursor).alterUsers();
    }
    Optional<RoutineKind> routine = routine();
    if (routine.isPresent()) {
      return new RoutineDdlParser(cursor).alter(routine.get());
    }
    ViewDdlParser view = new ViewDdlParser(cursor);
    return view.seesView() ? view.alterView() : refuse("ALTER");
  }

  private DdlStatement drop() {
    if (cursor.take("DATABASE") || cursor.take("SCHEMA")) {
      boolean ifExists = cursor.take("IF", "EXISTS");
      String name = cursor.identifier();
      cursor.expectEnd();
      return new DdlStatement.DropDatabase(cursor.sql(), name, ifExists);
    }
    boolean temporary = cursor.take("TEMPORARY");
    if (cursor.take("TABLE") || cursor.take("TABLES")) {
      boolean ifExists = cursor.take("IF", "EXISTS");
      List<TableName> names = cursor.tableNames();
      if (!cursor.take("RESTRICT")) {
        cursor.take("CASCADE");
      }
      cursor.expectEnd();
      return new DdlStatement.DropTables(cursor.sql(), names, ifExists, temporary);
    }
    if (cursor.take("INDEX")) {
      return new AlterTableParser(cursor).dropIndex();
    }
    if (cursor.take("USER")) {
      return new AccountDdlParser(cursor).dropUsers();
    }
    if (cursor.take("ROLE")) {
      return new RoleParser(cursor).dropRoles();
    }
    if (cursor.take("TRIGGER")) {
      return new TriggerDdlParser(cursor).dropTrigger();
    }
    Optional<RoutineKind> routine = routine();
    if (routine.isPresent()) {
      return new RoutineDdlParser(cursor).drop(routine.get());
    }
    return cursor.take("VIEW") ? new ViewDdlParser(cursor).dropViews() : refuse("DROP");
  }

  private Optional<RoutineKind> routine() {
    return Arrays.stream(RoutineKind.values()).filter(kind -> cursor.take(kind.name())).findFirst();
  }

  private DdlStatement rename() {
    if (cursor.take("USER")) {
      return new AccountDdlParser(cursor).renameUsers();
    }
    if (!cursor.take("TABLES")) {
      cursor.expect("TABLE");
    }
    List<Renaming> renamings = new ArrayList<>();
    do {
      TableName from = cursor.tableName();
      cursor.expect("TO");
      renamings.add(new Renaming(from, cursor.tableName()));
    } while (cursor.takeSymbol(","));
    cursor.expectEnd();
    return new DdlStatement.RenameTables(cursor.sql(), renamings);
  }

  private DdlStatement createDatabase() {
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    String name = cursor.identifier();
    DatabaseOptions options = new DatabaseOptions();
    options.read();
    return new DdlStatement.CreateDatabase(
        cursor.sql(), name, ifNotExists, options.charset, options.collation, options.partitions);
  }

  private DdlStatement alterDatabase() {
    Optional<String> name = Optional.empty();
    if (!DatabaseOptions.START.stream().anyMatch(cursor::sees)) {
      name = Optional.of(cursor.identifier());
    }
    DatabaseOptions options = new DatabaseOptions();
    int before = cursor.position();
    options.read();
    if (cursor.position() == before) {
      throw cursor.syntaxError();
    }
    return new DdlStatement.AlterDatabase(
        cursor.sql(), name, options.charset, options.collation, options.partitions);
  }

  /** The clauses after the name of a database. */
  private final class DatabaseOptions {
    static final List<String> START =
        List.of("DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ");

    private Optional<String> charset = Optional.empty();
    private Optional<String> collation = Optional.empty();
    private Optional<Integer> partitions = Optional.empty();

    void read() {
      while (!cursor.atEnd()) {
        cursor.take("DEFAULT");
        if (cursor.take("CHARACTER", "SET") || cursor.take("CHARSET")) {
          cursor.takeSymbol("=");
          charset = Optional.of(cursor.nameOrString());
        } else if (cursor.take("COLLATE")) {
          cursor.takeSymbol("=");
          collation = Optional.of(cursor.nameOrString());
        } else if (cursor.take("PARTITIONS")) {
          cursor.takeSymbol("=");
          partitions = Optional.of(cursor.count());
        } else if (cursor.take("MODE")) {
          cursor.takeSymbol("=");
          mode(cursor.nameOrString());
        } else {
          other();
        }
      }
    }

    private void mode(String mode) {
      if (!mode.equalsIgnoreCase("auto")) {
        throw notSupported("MODE='" + mode + "'", "; MODE='auto' is the only one");
      }
    }

    private void other() {
      if (cursor.take("ENCRYPTION")) {
        cursor.takeSymbol("=");
        if (!cursor.string().equalsIgnoreCase("N")) {
          throw notSupported("ENCRYPTION='Y'", "");
        }
      } else if (cursor.sees("LOCALITY")) {
        throw notSupported("LOCALITY", ": partitions are spread evenly over all data nodes");
      } else if (cursor.sees("READ", "ONLY")) {
        throw notSupported("READ ONLY", "");
      } else {
        throw cursor.syntaxError();
      }
    }
  }

  private DdlStatement refuse(String verb) {
    int start = cursor.position();
    while (!cursor.atEnd()) {
      for (String object : REFUSED) {
        if (cursor.sees(object)) {
          throw notSupported(verb + " " + object, "");
        }
      }
      cursor.moveTo(cursor.position() + 1);
    }
    cursor.moveTo(start);
    throw cursor.syntaxError();
  }

  private static final List<String> REFUSED =
      List.of(
          "TRIGGER",
          "FUNCTION",
          "EVENT",
          "ROLE",
          "TABLESPACE",
          "SERVER",
          "LOGFILE",
          "REFERENCE",
          "RESOURCE",
          "INSTANCE",
          "LIBRARY",
          "TABLEGROUP",
          "SEQUENCE",
          "TENANT",
          "CLUSTER",
          "CCL_RULE",
          "GLOBAL",
          "CLUSTERED");
}
