package io.alrai.optimizer.shardsql;

import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Table;

/** A column as it is read to be written again: the text protocol cuts digits off a FLOAT. */
public final class CopiedColumn {
  private CopiedColumn() {}

  /** The expression that gives the value whole. */
  public static Sql of(Table table, String name) {
    boolean isFloat =
        table.column(name).map(column -> column.type() == MysqlType.FLOAT).orElse(false);
    return isFloat ? Sql.of("CAST(").name(name).words(" AS DOUBLE)") : Sql.EMPTY.name(name);
  }
}
