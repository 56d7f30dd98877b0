package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PhysicalNames;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import java.util.Set;

/** Which names schemas and tables may have, and the sentences for those that are not there. */
public final class NameRules {
  private static final int LONGEST = 64;

  private static final Set<String> REJECTED = Set.of("mysql");
  private static final Set<String> DENIED = Set.of("information_schema", "performance_schema");
  private static final String INTERNAL = "alrai";
  private static final String GATHER_PREFIX = "alrai_gather_";

  /** A schema that no mysqld has. */
  public static final String NOWHERE = GATHER_PREFIX + "nowhere";

  private static final String HIDDEN_TABLE_PREFIX = "__alrai_";

  private NameRules() {}

  /** Checks the name of a schema that is to be made. */
  public static void newSchema(Catalog catalog, String name, DdlSession session) {
    if (name.equals("sys")) {
      throw databaseExists(name);
    }
    refuseSystemSchema(name, session);
    if (name.length() > LONGEST) {
      throw new AlraiException(
          ErrorCode.ER_TOO_LONG_IDENT, "Identifier name '" + name + "' is too long");
    }
    boolean taken =
        name.equals(INTERNAL)
            || name.startsWith(GATHER_PREFIX)
            || new PhysicalNames(catalog).taken(name);
    if (taken) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_DB_NAME,
          "Incorrect database name '" + name + "': Alrai keeps names of this form for itself");
    }
  }

  /** Refuses DDL on the mysqlds' own schemas. */
  public static void refuseSystemSchema(String name, DdlSession session) {
    if (REJECTED.contains(name)) {
      throw new AlraiException(
          ErrorCode.ER_NO_SYSTEM_SCHEMA_ACCESS,
          "Access to system schema '" + name + "' is rejected.");
    }
    if (DENIED.contains(name) || name.equals("sys")) {
      throw new AlraiException(
          ErrorCode.ER_DBACCESS_DENIED_ERROR,
          "Access denied for user '"
              + session.user()
              + "'@'"
              + session.host()
              + "' to database '"
              + name
              + "'");
    }
  }

  /** Checks the name of a table that is to be made. */
  public static void newTable(String name) {
    if (name.startsWith(HIDDEN_TABLE_PREFIX)) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_TABLE_NAME,
          "Incorrect table name '" + name + "': Alrai keeps names of this form for itself");
    }
  }

  /** Refuses the implicit key's name for a column of the client's. */
  public static void columns(TableDefinition table) {
    if (table.column(Table.IMPLICIT_KEY).isPresent()) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_COLUMN_NAME, "Incorrect column name '" + Table.IMPLICIT_KEY + "'");
    }
  }

  /** The schema that a name means. */
  public static String schemaOf(TableName name, DdlSession session) {
    String schema = name.schema().orElse(session.currentSchema());
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    refuseSystemSchema(schema, session);
    return schema;
  }

  /**
   * The table that a name means, or MySQL's error for a schema or table that is not there, or for a
   * view.
   */
  public static Table existing(Catalog catalog, String schema, String name) {
    if (catalog.view(schema, name).isPresent()) {
      throw wrongObject(schema, name, "BASE TABLE");
    }
    return catalog.table(schema, name).orElseThrow(() -> noSuchTable(schema, name));
  }

  /** The error for a name that means something else than {@code wanted}. */
  public static AlraiException wrongObject(String schema, String name, String wanted) {
    return new AlraiException(
        ErrorCode.ER_WRONG_OBJECT, "'" + schema + "." + name + "' is not " + wanted);
  }

  public static AlraiException noSuchTable(String schema, String name) {
    return new AlraiException(
        ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + name + "' doesn't exist");
  }

  /** The schema of that name, or MySQL's error. */
  public static Schema existingSchema(Catalog catalog, String name) {
    return catalog.schema(name).orElseThrow(() -> unknownDatabase(name));
  }

  static AlraiException unknownDatabase(String name) {
    return new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + name + "'");
  }

  public static AlraiException databaseExists(String name) {
    return new AlraiException(ErrorCode.ER_DB_CREATE_EXISTS, databaseExistsSentence(name));
  }

  public static String databaseExistsSentence(String name) {
    return "Can't create database '" + name + "'; database exists";
  }

  public static AlraiException tableExists(String name) {
    return new AlraiException(ErrorCode.ER_TABLE_EXISTS_ERROR, tableExistsSentence(name));
  }

  public static String tableExistsSentence(String name) {
    return "Table '" + name + "' already exists";
  }
}
