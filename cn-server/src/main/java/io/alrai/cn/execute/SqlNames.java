package io.alrai.cn.execute;

import io.alrai.optimizer.syntax.Identifier;
import java.util.List;
import java.util.stream.Collectors;

/** Names in SQL text. */
final class SqlNames {
  private SqlNames() {}

  /** A name in backticks. */
  static String quoted(String name) {
    return Identifier.quote(name);
  }

  /** Names in backticks with commas between. */
  static String list(List<String> names) {
    return names.stream().map(SqlNames::quoted).collect(Collectors.joining(","));
  }
}
