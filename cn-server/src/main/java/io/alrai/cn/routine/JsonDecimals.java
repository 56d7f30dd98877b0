package io.alrai.cn.routine;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of a JSON document that are DECIMAL for sure: read as a text, a mysqld would make
 * DOUBLE of them, which has other digits. Where DOUBLE has the same digits nothing tells the two
 * apart. Pure.
 */
final class JsonDecimals {
  /** More than these stay as the text has them. */
  private static final int MOST = 1_000;

  private static final BigInteger LEAST_WHOLE = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST_WHOLE = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

  /**
   * A number of the document.
   *
   * @param path its JSON path; {@code $} where it is the whole document
   */
  record Found(String path, String digits) {}

  private final String text;
  private final List<Found> found = new ArrayList<>();
  private int at;

  private JsonDecimals(String text) {
    this.text = text;
  }

  /** Those of a document, as a mysqld writes it. */
  static List<Found> of(String document) {
    if (document.chars().noneMatch(each -> each >= '0' && each <= '9')) {
      return List.of();
    }
    JsonDecimals decimals = new JsonDecimals(document);
    decimals.value("$");
    return decimals.found.size() > MOST ? List.of() : decimals.found;
  }

  private void value(String path) {
    skipBlanks();
    switch (at < text.length() ? text.charAt(at) : ' ') {
      case '{' -> {
        at++;
        while (isInside('}')) {
          String key = string();
          skipBlanks();
          at++; // the colon
          value(path + "." + key);
        }
      }
      case '[' -> {
        at++;
        for (int i = 0; isInside(']'); i++) {
          value(path + "[" + i + "]");
        }
      }
      case '"' -> string();
      default -> scalar(path);
    }
  }

  /** Steps over a comma before the next item, or over the end. */
  private boolean isInside(char end) {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == ',') {
      at++;
      skipBlanks();
    }
    if (at < text.length() && text.charAt(at) != end) {
      return true;
    }
    at++;
    return false;
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  /** A string with its quotes, as written. */
  private String string() {
    int from = at++;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at + 1, text.length());
    return text.substring(from, at);
  }

  private void scalar(String path) {
    int from = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String digits = text.substring(from, at);
    if (found.size() <= MOST && isDecimal(digits)) {
      found.add(new Found(path, digits));
    }
    at = Math.max(at, from + 1);
  }

  /** Whether digits are neither those of a DOUBLE nor of a whole number of 64 bits. */
  private static boolean isDecimal(String digits) {
    if (!digits.matches("-?\\d+(\\.\\d+)?")) {
      return false;
    }
    if (digits.indexOf('.') < 0) {
      BigInteger whole = new BigInteger(digits);
      return whole.compareTo(LEAST_WHOLE) < 0 || whole.compareTo(MOST_WHOLE) > 0;
    }
    String plain = new BigDecimal(Double.toString(Double.parseDouble(digits))).toPlainString();
    return !digits.equals(plain.indexOf('.') < 0 ? plain + ".0" : plain);
  }
}
