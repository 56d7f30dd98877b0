package io.alrai.cn.settings;

import io.alrai.executor.fragment.SqlTemplate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code Com_} variables of SHOW STATUS count, as far as there are such statements here; named
 * as these. Statements that only Alrai has are not counted.
 */
public enum CountedStatement {
  SELECT,
  INSERT,
  INSERT_SELECT,
  REPLACE,
  REPLACE_SELECT,
  UPDATE,
  UPDATE_MULTI,
  DELETE,
  DELETE_MULTI,
  BEGIN,
  COMMIT,
  ROLLBACK,
  SAVEPOINT,
  ROLLBACK_TO_SAVEPOINT,
  RELEASE_SAVEPOINT,
  SET_OPTION,
  SET_ROLE,
  CHANGE_DB,
  CALL_PROCEDURE,
  PREPARE_SQL,
  EXECUTE_SQL,
  DEALLOC_SQL,
  STMT_PREPARE,
  STMT_EXECUTE,
  STMT_FETCH,
  STMT_CLOSE,
  STMT_RESET,
  LOCK_TABLES,
  UNLOCK_TABLES,
  LOCK_INSTANCE,
  UNLOCK_INSTANCE,
  FLUSH,
  BINLOG,
  KILL,
  HELP,
  LOAD,
  CHECKSUM,
  ANALYZE,
  CHECK,
  OPTIMIZE,
  REPAIR,
  HA_OPEN,
  HA_CLOSE,
  HA_READ,
  GET_DIAGNOSTICS,
  SIGNAL,
  RESIGNAL,
  XA_START,
  XA_END,
  XA_PREPARE,
  XA_COMMIT,
  XA_ROLLBACK,
  XA_RECOVER,
  CREATE_DB,
  ALTER_DB,
  DROP_DB,
  CREATE_TABLE,
  ALTER_TABLE,
  DROP_TABLE,
  TRUNCATE,
  RENAME_TABLE,
  CREATE_INDEX,
  CREATE_TRIGGER,
  DROP_TRIGGER,
  CREATE_VIEW,
  DROP_VIEW,
  CREATE_PROCEDURE,
  ALTER_PROCEDURE,
  DROP_PROCEDURE,
  CREATE_FUNCTION,
  ALTER_FUNCTION,
  DROP_FUNCTION,
  CREATE_USER,
  ALTER_USER,
  ALTER_USER_DEFAULT_ROLE,
  DROP_USER,
  RENAME_USER,
  CREATE_ROLE,
  DROP_ROLE,
  GRANT,
  GRANT_ROLES,
  REVOKE,
  REVOKE_ALL,
  REVOKE_ROLES,
  SHOW_CHARSETS,
  SHOW_COLLATIONS,
  SHOW_CREATE_DB,
  SHOW_CREATE_FUNC,
  SHOW_CREATE_PROC,
  SHOW_CREATE_TABLE,
  SHOW_CREATE_TRIGGER,
  SHOW_CREATE_USER,
  SHOW_DATABASES,
  SHOW_ENGINE_STATUS,
  SHOW_ERRORS,
  SHOW_EVENTS,
  SHOW_FIELDS,
  SHOW_FUNCTION_STATUS,
  SHOW_GRANTS,
  SHOW_KEYS,
  SHOW_OPEN_TABLES,
  SHOW_PLUGINS,
  SHOW_PRIVILEGES,
  SHOW_PROCEDURE_STATUS,
  SHOW_PROCESSLIST,
  SHOW_STATUS,
  SHOW_STORAGE_ENGINES,
  SHOW_TABLE_STATUS,
  SHOW_TABLES,
  SHOW_TRIGGERS,
  SHOW_VARIABLES,
  SHOW_WARNINGS;

  /** Words between SHOW and what is shown. */
  private static final List<String> MODIFIERS =
      List.of("SHOW", "FULL", "EXTENDED", "GLOBAL", "SESSION", "LOCAL");

  private static final Map<String, CountedStatement> SHOWN =
      Map.ofEntries(
          Map.entry("CHARACTER SET", SHOW_CHARSETS),
          Map.entry("CHARSET", SHOW_CHARSETS),
          Map.entry("COLLATION", SHOW_COLLATIONS),
          Map.entry("CREATE DATABASE", SHOW_CREATE_DB),
          Map.entry("CREATE SCHEMA", SHOW_CREATE_DB),
          Map.entry("CREATE FUNCTION", SHOW_CREATE_FUNC),
          Map.entry("CREATE PROCEDURE", SHOW_CREATE_PROC),
          Map.entry("CREATE TABLE", SHOW_CREATE_TABLE),
          Map.entry("CREATE VIEW", SHOW_CREATE_TABLE),
          Map.entry("CREATE TRIGGER", SHOW_CREATE_TRIGGER),
          Map.entry("DATABASES", SHOW_DATABASES),
          Map.entry("SCHEMAS", SHOW_DATABASES),
          Map.entry("ENGINE INNODB", SHOW_ENGINE_STATUS),
          Map.entry("EVENTS", SHOW_EVENTS),
          Map.entry("COLUMNS", SHOW_FIELDS),
          Map.entry("FIELDS", SHOW_FIELDS),
          Map.entry("FUNCTION STATUS", SHOW_FUNCTION_STATUS),
          Map.entry("INDEX", SHOW_KEYS),
          Map.entry("INDEXES", SHOW_KEYS),
          Map.entry("KEYS", SHOW_KEYS),
          Map.entry("OPEN TABLES", SHOW_OPEN_TABLES),
          Map.entry("PLUGINS", SHOW_PLUGINS),
          Map.entry("PRIVILEGES", SHOW_PRIVILEGES),
          Map.entry("PROCEDURE STATUS", SHOW_PROCEDURE_STATUS),
          Map.entry("STATUS", SHOW_STATUS),
          Map.entry("ENGINES", SHOW_STORAGE_ENGINES),
          Map.entry("STORAGE ENGINES", SHOW_STORAGE_ENGINES),
          Map.entry("TABLE STATUS", SHOW_TABLE_STATUS),
          Map.entry("TABLES", SHOW_TABLES),
          Map.entry("TRIGGERS", SHOW_TRIGGERS),
          Map.entry("VARIABLES", SHOW_VARIABLES));

  private final String statusName = "Com_" + name().toLowerCase(Locale.ROOT);

  /** The variable that counts it. */
  public String statusName() {
    return statusName;
  }

  /** What {@code SHOW x} counts as; SELECT for a query over information_schema. */
  static Optional<CountedStatement> ofShadow(SqlTemplate sql) {
    String text =
        sql.pieces().getFirst() instanceof SqlTemplate.Piece.Text piece ? piece.sql() : "";
    List<String> words =
        Arrays.stream(text.strip().toUpperCase(Locale.ROOT).split("[\\s(`'\"]+", 8)).toList();
    return switch (words.getFirst()) {
      case "SHOW" -> shown(words);
      case "DESCRIBE", "DESC", "EXPLAIN" -> Optional.of(SHOW_FIELDS);
      case "HELP" -> Optional.of(HELP);
      default -> Optional.of(SELECT);
    };
  }

  private static Optional<CountedStatement> shown(List<String> words) {
    List<String> what = words.stream().dropWhile(MODIFIERS::contains).limit(2).toList();
    CountedStatement two = SHOWN.get(String.join(" ", what));
    return Optional.ofNullable(two != null || what.isEmpty() ? two : SHOWN.get(what.getFirst()));
  }
}
