package io.alrai.cn.execute;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.optimizer.parse.LexicalMode;
import io.alrai.optimizer.syntax.ColumnLabels;
import java.util.ArrayList;
import java.util.List;

/** Names of result columns as MySQL makes them from the text of expressions without alias. */
final class ColumnNames {
  private ColumnNames() {}

  /** The columns with the names that the statement's text gives them. */
  static List<ColumnDefinition> of(StatementRun run, List<ColumnDefinition> columns) {
    LexicalMode mode = run.session().lexicalMode();
    List<String> labels =
        ColumnLabels.of(run.statement().text(), mode.ansiQuotes(), mode.noBackslashEscapes());
    return named(columns, labels);
  }

  /** One item of the list may stand for several columns, or for none: {@code *}. */
  static List<ColumnDefinition> named(List<ColumnDefinition> columns, List<String> labels) {
    List<ColumnDefinition> named = new ArrayList<>(columns);
    if (columns.size() == labels.size()) {
      for (int i = 0; i < labels.size(); i++) {
        name(named, i, labels.get(i));
      }
      return named;
    }
    int first = labels.indexOf(ColumnLabels.STAR);
    for (int i = 0; i < first; i++) {
      name(named, i, labels.get(i));
    }
    int last = labels.lastIndexOf(ColumnLabels.STAR);
    for (int i = last + 1; last >= 0 && i < labels.size(); i++) {
      name(named, columns.size() - labels.size() + i, labels.get(i));
    }
    return named;
  }

  private static void name(List<ColumnDefinition> columns, int index, String label) {
    if (label.isEmpty() || label.equals(ColumnLabels.STAR) || index < 0) {
      return;
    }
    ColumnDefinition column = columns.get(index);
    columns.set(
        index,
        new ColumnDefinition(
            column.schema(),
            column.table(),
            column.originalTable(),
            label,
            column.originalName(),
            column.charsetId(),
            column.length(),
            column.type(),
            column.flags(),
            column.decimals()));
  }
}
