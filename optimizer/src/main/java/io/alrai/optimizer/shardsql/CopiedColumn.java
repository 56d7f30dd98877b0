package io.alrai.optimizer.shardsql;

import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import java.util.Optional;

/**
 * A column as it is read to be written again: the text protocol cuts digits off a FLOAT, and the
 * types off JSON.
 */
public final class CopiedColumn {
  private CopiedColumn() {}

  /** The expression that gives the value whole. */
  public static Sql of(Table table, String name) {
    return of(table, name, Sql.EMPTY.name(name));
  }

  /** The same of a value of the column's type. */
  public static Sql of(Table table, String name, Sql value) {
    Optional<MysqlType> type = table.column(name).map(Column::type);
    if (type.equals(Optional.of(MysqlType.FLOAT))) {
      return Sql.of("CAST(").add(value).words(" AS DOUBLE)");
    }
    return type.equals(Optional.of(MysqlType.JSON))
        ? WholeJson.of(value).words(" AS ").name(WholeJson.LABEL)
        : value;
  }
}
