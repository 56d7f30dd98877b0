package io.alrai.cn.text;

import io.alrai.cn.statement.StatementRun;
import io.alrai.common.type.AsciiWeights;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.inspect.ColumnLabels;
import io.alrai.optimizer.api.inspect.ColumnLabels.Labels;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names of result columns as MySQL makes them from the text of expressions without alias. Where the
 * list has no literal, all statements with an equal beginning have equal names, which are kept.
 * Thread-safe.
 */
public final class ColumnNames {
  private static final int KEPT = 1024;
  private static final int LONGEST_KEPT = 1024;

  private final Map<Beginning, List<String>> known = new ConcurrentHashMap<>();

  /** A statement's text, one character for each byte, up to its first literal. */
  private record Beginning(String text, LexicalMode mode) {}

  /** The columns with the names that the statement's text gives them. */
  public List<ColumnDefinition> of(StatementRun run, List<ColumnDefinition> columns) {
    return named(
        columns, labels(run.statement(), run.sql(), run.session().variables().lexicalMode()));
  }

  /**
   * The names of the items in the statement's list.
   *
   * @param sql the statement's bytes, in a character set that contains ASCII
   */
  List<String> labels(ShapedStatement statement, byte[] sql, LexicalMode mode) {
    int length = statement.slotCount() == 0 ? sql.length : statement.slotStart(0);
    if (length > LONGEST_KEPT) {
      return parsed(statement, mode).names();
    }
    Beginning beginning =
        new Beginning(new String(sql, 0, length, StandardCharsets.ISO_8859_1), mode);
    List<String> kept = known.get(beginning);
    if (kept != null) {
      return kept;
    }
    Labels labels = parsed(statement, mode);
    if (labels.end() <= length && AsciiWeights.isAscii(sql, length)) {
      if (known.size() >= KEPT) {
        known.clear();
      }
      known.put(beginning, labels.names());
    }
    return labels.names();
  }

  private static Labels parsed(ShapedStatement statement, LexicalMode mode) {
    return ColumnLabels.of(statement.text(), mode.ansiQuotes(), mode.noBackslashEscapes());
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
