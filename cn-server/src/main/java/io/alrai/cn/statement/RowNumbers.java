package io.alrai.cn.statement;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
   * The warnings of an INSERT, some of whose cells a mysqld evaluated before: each of these stands
   * where a mysqld gives it, before those of the row's further columns; one that names no row comes
   * first.
   *
   * @param evaluated of these cells
   * @param ofPlaces of all others, in the order of rows and columns
   * @param columns of the INSERT
   */
  public static List<Condition> merged(
      List<Condition> evaluated, List<Condition> ofPlaces, List<String> columns) {
    List<Condition> all = new ArrayList<>(ofPlaces);
    int first = 0;
    for (Condition each : evaluated) {
      int row = row(each);
      if (row == 0) {
        all.add(first++, each);
        continue;
      }
      int column = column(each, columns);
      int at = 0;
      while (at < all.size()
          && (row(all.get(at)) != row || column(all.get(at), columns) <= column)) {
        at++;
      }
      all.add(at, each);
    }
    return all;
  }

  /** Which of the columns a message names; -1 for none. */
  private static int column(Condition condition, List<String> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (condition.message().contains(" column '" + columns.get(i) + "' at row ")) {
        return i;
      }
    }
    return -1;
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
