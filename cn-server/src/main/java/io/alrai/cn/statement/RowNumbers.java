package io.alrai.cn.statement;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
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

  /** Sorted by their rows; messages that name no row come first. */
  public static List<Condition> sorted(List<Condition> conditions) {
    return conditions.stream().sorted(Comparator.comparingInt(RowNumbers::row)).toList();
  }

  private static int row(Condition condition) {
    Matcher matcher = AT_ROW.matcher(condition.message());
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
