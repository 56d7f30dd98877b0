package io.alrai.cn.explain;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the mysqld of a place answers to EXPLAIN: rows with columns in the traditional format, else
 * one text.
 */
record MysqldPlan(List<ColumnDefinition> columns, List<List<@Nullable String>> rows) {
  /** Whether it is in the traditional format. */
  boolean isTable() {
    return columns.size() > 1;
  }

  /** The text of the other formats. */
  String text() {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(row.getFirst()));
    return text.toString();
  }
}
