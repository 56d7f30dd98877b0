package io.alrai.cn.ask;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the CNs have answered.
 *
 * @param byNode by their names, this one's among them
 * @param silent the names of those without an answer, and why
 */
public record Answers(SortedMap<String, List<AskRow>> byNode, SortedMap<String, String> silent) {
  /** One CN's. */
  static Answers of(String node, List<AskRow> rows) {
    return new Answers(new TreeMap<>(Map.of(node, rows)), new TreeMap<>());
  }

  /** All rows. */
  public List<AskRow> rows() {
    return byNode.values().stream().flatMap(List::stream).toList();
  }

  /** A warning for each that is silent. */
  public List<Condition> warnings() {
    return silent.entrySet().stream()
        .map(each ->
            new Condition(
                "Warning",
                ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(),
                "CN '" + each.getKey() + "' " + each.getValue() + "; what it has is missing here"))
        .toList();
  }
}
