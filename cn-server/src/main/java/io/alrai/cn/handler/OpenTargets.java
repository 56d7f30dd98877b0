package io.alrai.cn.handler;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.token.SystemTables;

/** What HANDLER can open. Pure. */
final class OpenTargets {
  private OpenTargets() {}

  /**
   * Refuses what is no table of the client's.
   *
   * @param schema empty for none
   */
  static void require(Catalog catalog, String schema, String table) {
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    if (SystemTables.isSystemSchema(schema)) {
      throw AlraiException.unsupported("'HANDLER' on the server's own tables: use" + " SELECT");
    }
    if (catalog.schema(schema).isEmpty()) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'");
    }
    if (catalog.view(schema, table).isPresent()) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_OBJECT, "'" + schema + "." + table + "' is not BASE TABLE");
    }
    if (catalog.table(schema, table).isEmpty()) {
      throw missing(schema, table);
    }
  }

  /** Refuses a table whose rows no key tells apart: no row is a place to go on from. */
  static void require(TableKeys keys) {
    if (keys.natural().parts().isEmpty()) {
      throw AlraiException.unsupported(
          "'HANDLER' on a table without a primary key;"
              + " give it one, or a unique key of columns that are NOT NULL");
    }
  }

  static AlraiException missing(String schema, String table) {
    return new AlraiException(
        ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + table + "' doesn't exist");
  }
}
