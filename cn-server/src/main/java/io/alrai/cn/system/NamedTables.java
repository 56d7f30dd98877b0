package io.alrai.cn.system;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;

/** Tables by their names. Pure. */
public final class NamedTables {
  private NamedTables() {}

  /**
   * A table by its name.
   *
   * @throws AlraiException 1046 without a schema, 1146 when there is no such table
   */
  public static Table table(Catalog catalog, String schema, String name) {
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    return catalog
        .table(schema, name)
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + name + "' doesn't exist"));
  }
}
