package io.alrai.testing;

import io.alrai.common.sql.Sql;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of databases that are hard on whoever puts them into texts: tests run in databases of
 * these, by turns. {@code -Dnames.seed=N} lets each test have another one.
 */
public final class DatabaseNames {
  private static final List<String> NAMES =
      List.of(
          "a_b",
          "%x",
          "tick`tick",
          "it's",
          "say \"x\"",
          "semi;colon",
          "two words",
          "dot.ted",
          "Upper",
          "select",
          "größe東京",
          "`.`t` UNION SELECT * FROM `v",
          "-- x",
          "l" + "o".repeat(62) + "g");

  private static final List<String> GRANTED = List.of("Upper", "select", "two words", "semi;colon");

  private static final long SEED = Long.getLong("names.seed", 0);

  private DatabaseNames() {}

  /** All of them. */
  public static List<String> all() {
    return NAMES;
  }

  /** One for a test; the same in each run with the same seed. */
  public static String of(String test) {
    return NAMES.get(index(test, NAMES.size()));
  }

  /** The same of ASCII: texts in other character sets have no other names. */
  public static String ofAscii(String test) {
    List<String> some =
        NAMES.stream().filter(name -> name.chars().allMatch(letter -> letter < 128)).toList();
    return some.get(index(test, some.size()));
  }

  /** One for a round of a random test. */
  public static String of(long seed) {
    return NAMES.get((int) Long.remainderUnsigned(seed + SEED, NAMES.size()));
  }

  private static int index(String test, int count) {
    return (int) Math.floorMod(test.hashCode() + SEED, (long) count);
  }

  /** The name as statements have it. */
  public static String quoted(String name) {
    return Sql.quote(name);
  }

  /** The name as URLs of JDBC have it. */
  public static String inUrl(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * A statement that names another database: where {@code placeholder} stands as a name, in or
   * without quotes, or within a text that is run.
   */
  public static String inStatement(String sql, String placeholder, String name) {
    Pattern word = Pattern.compile("(?<![\\w$.@])" + placeholder + "(?![\\w$])");
    StringBuilder text = new StringBuilder();
    int done = 0;
    while (done < sql.length()) {
      int end = tokenEnd(sql, done);
      String token = sql.substring(done, end);
      char quote = token.charAt(0);
      if (!word.matcher(token).find()) {
        text.append(token);
      } else if (quote == '\'' || quote == '"' || quote == '`') {
        String content = token.substring(1, token.length() - 1);
        boolean pattern = isPattern(text);
        text.append(quote)
            .append(content(content, placeholder, name, quote, pattern))
            .append(quote);
      } else {
        text.append(word.matcher(token).replaceAll(Matcher.quoteReplacement(quoted(name))));
      }
      done = end;
    }
    return text.toString();
  }

  private static String content(
      String content, String placeholder, String name, char quote, boolean pattern) {
    String doubled = String.valueOf(quote).repeat(2);
    if (content.equals(placeholder)) {
      String value = pattern ? name.replace("_", "\\_").replace("%", "\\%") : name;
      return value.replace(String.valueOf(quote), doubled);
    }
    if (content.equals(placeholder + "%")) {
      return name.replace("_", "\\_").replace("%", "\\%").replace(String.valueOf(quote), doubled)
          + "%";
    }
    String plain = content.replace(doubled, String.valueOf(quote));
    return inStatement(plain, placeholder, name).replace(String.valueOf(quote), doubled);
  }

  private static boolean isPattern(CharSequence before) {
    return before.toString().stripTrailing().toUpperCase(Locale.ROOT).endsWith(" LIKE");
  }

  /** A quoted text with its quotes, or all up to the next one. */
  private static int tokenEnd(String sql, int start) {
    char quote = sql.charAt(start);
    if (quote != '\'' && quote != '"' && quote != '`') {
      int end = start;
      while (end < sql.length() && "'\"`".indexOf(sql.charAt(end)) < 0) {
        end++;
      }
      return end;
    }
    int end = start + 1;
    while (end < sql.length()) {
      char c = sql.charAt(end);
      if (c == '\\' && quote != '`') {
        end++;
      } else if (c == quote) {
        if (end + 1 >= sql.length() || sql.charAt(end + 1) != quote) {
          return end + 1;
        }
        end++;
      }
      end++;
    }
    return sql.length();
  }
}
