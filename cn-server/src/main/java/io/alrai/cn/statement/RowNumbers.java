package io.alrai.cn.statement;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages that name a row of an INSERT: a place numbers its own rows, the client those that it
 * sent.
 */
public final class RowNumbers {
  private static final Pattern AT_ROW = Pattern.compile(" at row (\\d+)$");

  private RowNumbers() {}

  /**
   * A place's sentence with the client's number.
   *
   * @param rows the client's index, from 0, of each of the place's rows
   */
  public static String ofClient(String sentence, int[] rows) {
    Matcher matcher = AT_ROW.matcher(sentence);
    if (!matcher.find()) {
      return sentence;
    }
    int index = Integer.parseInt(matcher.group(1)) - 1;
    return index < 0 || index >= rows.length
        ? sentence
        : sentence.substring(0, matcher.start()) + " at row " + (rows[index] + 1);
  }

  /** A warning with the client's row numbers. */
  public static Condition ofClient(Condition condition, int[] rows) {
    return new Condition(condition.level(), condition.code(), ofClient(condition.message(), rows));
  }

  /** An error with the client's row numbers. */
  public static AlraiException ofClient(AlraiException error, int[] rows) {
    String sentence = ofClient(error.sentence(), rows);
    if (sentence.equals(error.sentence())) {
      return error;
    }
    AlraiException renumbered =
        AlraiException.fromServer(error.errno(), error.sqlState(), sentence);
    renumbered.initCause(error);
    return renumbered;
  }

  /**
   * The warnings of an INSERT, some of whose cells a mysqld evaluated before. Within each row one
   * of an evaluated cell stands before those of later columns; those that name no row come first.
   * Rows are not sorted: see {@link #sorted}.
   *
   * @param evaluated of these cells
   * @param ofPlaces of all others, place by place; of one row in the order of its columns
   * @param columns of the INSERT
   */
  public static List<Condition> merged(
      List<Condition> evaluated, List<Condition> ofPlaces, List<String> columns) {
    List<Condition> all = new ArrayList<>();
    Map<Integer, Deque<Cell>> waiting = new LinkedHashMap<>();
    for (Condition each : evaluated) {
      Cell cell = Cell.of(each, columns);
      if (cell.row() == 0) {
        all.add(each);
      } else {
        waiting.computeIfAbsent(cell.row(), row -> new ArrayDeque<>()).add(cell);
      }
    }
    for (Condition each : ofPlaces) {
      Cell cell = Cell.of(each, columns);
      Deque<Cell> before = waiting.getOrDefault(cell.row(), new ArrayDeque<>());
      while (!before.isEmpty() && before.getFirst().column() < cell.column()) {
        all.add(before.removeFirst().condition());
      }
      all.add(each);
    }
    waiting.values().forEach(left -> left.forEach(cell -> all.add(cell.condition())));
    return all;
  }

  /**
   * What a condition is about.
   *
   * @param row from 1; 0 for none
   * @param column its index; for none one after all
   */
  private record Cell(Condition condition, int row, int column) {
    static Cell of(Condition condition, List<String> columns) {
      String message = condition.message();
      Matcher matcher = AT_ROW.matcher(message);
      if (!matcher.find()) {
        return new Cell(condition, 0, columns.size());
      }
      String about = message.substring(0, matcher.start());
      int column = 0;
      while (column < columns.size() && !about.endsWith(" column '" + columns.get(column) + "'")) {
        column++;
      }
      return new Cell(condition, Integer.parseInt(matcher.group(1)), column);
    }
  }

  /** Sorted by their rows; messages that name no row come first. */
  public static List<Condition> sorted(List<Condition> conditions) {
    return conditions.stream().sorted(Comparator.comparingInt(RowNumbers::row)).toList();
  }

  private static int row(Condition condition) {
    Matcher matcher = AT_ROW.matcher(condition.message());
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
