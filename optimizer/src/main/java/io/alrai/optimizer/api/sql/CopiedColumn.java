package io.alrai.optimizer.api.sql;

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

  /**
   * The column for a copy that is read in its place: a TIMESTAMP is given in UTC, and says so,
   * because its text in the session's time zone can mean two moments when clocks are put back.
   */
  public static Sql ofMoment(Table table, String name) {
    Optional<MysqlType> type = table.column(name).map(Column::type);
    if (!type.equals(Optional.of(MysqlType.TIMESTAMP))) {
      return of(table, name);
    }
    Sql seconds = Sql.of("UNIX_TIMESTAMP(").name(name).words(")");
    return Sql.of("IF(")
        .add(seconds)
        .words("=0,'0000-00-00 00:00:00',CONCAT('1970-01-01'+INTERVAL ")
        .add(seconds)
        .words(" SECOND,'+00:00'))");
  }

  /** The expression that gives the value whole. */
  public static Sql of(Table table, String name) {
    return of(table, name, Sql.EMPTY.name(name));
  }

  /** The form for copies of a value of the column's type. */
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
