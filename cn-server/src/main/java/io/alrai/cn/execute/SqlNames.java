package io.alrai.cn.execute;

import io.alrai.common.sql.Sql;
import java.util.List;

/** Names in SQL text. */
final class SqlNames {
  private SqlNames() {}

  /** Names in backticks with commas between. */
  static Sql list(List<String> names) {
    return Sql.EMPTY.names(names);
  }
}
