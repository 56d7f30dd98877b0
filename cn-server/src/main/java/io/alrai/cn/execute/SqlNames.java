package io.alrai.cn.execute;

import io.alrai.optimizer.syntax.Identifier;
import java.util.List;
import java.util.stream.Collectors;

/** Names in SQL text. */
final class SqlNames {
  private SqlNames() {}

  /** Names in backticks with commas between. */
  static String list(List<String> names) {
    return names.stream().map(Identifier::quote).collect(Collectors.joining(","));
  }
}
