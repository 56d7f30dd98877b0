package io.alrai.testing;

import io.alrai.common.sql.Sql;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
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

  /** Of these GRANT makes no patterns. */
  private static final List<String> GRANTED = List.of("Upper", "select", "two words", "semi;colon");

  private static final long SEED = Long.getLong("names.seed", 0);

  private DatabaseNames() {}

  /** All names. */
  public static List<String> all() {
    return NAMES;
  }

  /** One for a test; the same in each run with the same seed. */
  public static String of(String test) {
    return NAMES.get(index(test, NAMES.size()));
  }

  /** A name of ASCII: texts in other character sets have no other names. */
  public static String ofAscii(String test) {
    List<String> some =
        NAMES.stream().filter(name -> name.chars().allMatch(letter -> letter < 128)).toList();
    return some.get(index(test, some.size()));
  }

  /** A name that is no pattern in GRANT. */
  public static String ofGranted(String test) {
    return GRANTED.get(index(test, GRANTED.size()));
  }

  /** A user's name, which is shorter and has no letters but ASCII's, as logins have no others. */
  public static String ofUser(String test) {
    String name = ofAscii(test);
    return name.substring(0, Math.min(32, name.length())).strip();
  }

  /** What decides which names a test has. */
  public static long seed(String test) {
    return test.hashCode() + SEED;
  }

  /** A name that ends no quotes and no qualifier. */
  public static String ofUnquoted(String test) {
    List<String> some = NAMES.stream().filter(name -> !name.matches(".*[`'\".].*")).toList();
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
    for (SqlToken token : SqlToken.of(sql)) {
      boolean isQuoted = token.kind() == SqlToken.Kind.STRING || token.kind() == SqlToken.Kind.NAME;
      char before = text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
      if (isQuoted && word.matcher(token.text()).find()) {
        char quote = token.text().charAt(0);
        String content = token.text().substring(1, token.text().length() - 1);
        boolean pattern = isPattern(text);
        text.append(quote)
            .append(content(content, placeholder, name, quote, pattern))
            .append(quote);
      } else if (token.text().equals(placeholder) && before != '.' && before != '@') {
        text.append(quoted(name));
      } else {
        text.append(token.text());
      }
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
}
