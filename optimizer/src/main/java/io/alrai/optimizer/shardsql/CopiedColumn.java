package io.alrai.optimizer.shardsql;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.syntax.Identifier;

/** A column as it is read to be written again: the text protocol cuts digits off a FLOAT. */
public final class CopiedColumn {
  private CopiedColumn() {}

  /** The expression that gives the value whole. */
  public static String of(Table table, String name) {
    String quoted = Identifier.quote(name);
    boolean isFloat =
        table.column(name).map(column -> column.type() == MysqlType.FLOAT).orElse(false);
    return isFloat ? "CAST(" + quoted + " AS DOUBLE)" : quoted;
  }
}
