package io.alrai.cn.slowlog;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.settings.GlobalVariables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The global variables of the log, which the GMS keeps for all CNs: what is written where.
 *
 * @param file whether there is a file
 * @param table whether mysql.slow_log has rows
 * @param administrative whether ALTER TABLE, ANALYZE TABLE and the like are written, too
 */
public record SlowLogSettings(boolean file, boolean table, boolean administrative) {
  /** {@value}: whether there is a log. */
  public static final String ON = "slow_query_log";

  /** {@value}: where it is. */
  public static final String OUTPUT = "log_output";

  /** {@value}: whether administrative statements are in it. */
  public static final String ADMINISTRATIVE = "log_slow_admin_statements";

  /** {@value}: the name of the file, which SET does not change. */
  public static final String FILE = "slow_query_log_file";

  private static final List<String> OUTPUTS = List.of("NONE", "FILE", "TABLE");
  private static final Set<String> SWITCHES = Set.of(ON, ADMINISTRATIVE);

  /** Whether a variable is one of them. */
  public static boolean isOne(String name) {
    return name.equals(OUTPUT) || SWITCHES.contains(name);
  }

  /**
   * The SQL literal that is kept for a value.
   *
   * @throws io.alrai.common.error.AlraiException 1231 for what the variable cannot be
   */
  public static String literal(String name, String value) {
    if (name.equals(OUTPUT)) {
      return "'" + outputs(value) + "'";
    }
    return OwnVariables.truth(value).orElseThrow(() -> OwnVariables.wrong(name, value, ""))
        ? "1"
        : "0";
  }

  /** A set of words, or the number that MySQL has for it, in MySQL's order. */
  private static String outputs(String value) {
    List<String> words = Arrays.asList(value.toUpperCase(Locale.ROOT).split(",", -1));
    if (value.matches("[0-7]")) {
      words = ofBits(Integer.parseInt(value));
    } else if (value.isEmpty()) {
      words = List.of();
    }
    if (!OUTPUTS.containsAll(words)) {
      throw OwnVariables.wrong(OUTPUT, value, "");
    }
    return String.join(",", OUTPUTS.stream().filter(words::contains).toList());
  }

  private static List<String> ofBits(int bits) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < OUTPUTS.size(); i++) {
      if ((bits & 1 << i) != 0) {
        words.add(OUTPUTS.get(i));
      }
    }
    return words;
  }

  /** What the settings of a catalog say. */
  static SlowLogSettings of(Map<String, String> catalog) {
    boolean on = GlobalVariables.literal(catalog, ON).orElse("0").equals("1");
    String outputs = GlobalVariables.literal(catalog, OUTPUT).orElse("'FILE'");
    boolean none = outputs.contains("NONE");
    return new SlowLogSettings(
        on && !none && outputs.contains("FILE"),
        on && !none && outputs.contains("TABLE"),
        GlobalVariables.literal(catalog, ADMINISTRATIVE).orElse("0").equals("1"));
  }

  /** Whether anything is written. */
  boolean on() {
    return file || table;
  }
}
