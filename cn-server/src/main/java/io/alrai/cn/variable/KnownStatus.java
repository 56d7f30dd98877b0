package io.alrai.cn.variable;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The table of MySQL's status variables, {@code status.txt}: three lists. A test compares it with
 * what a mysqld has.
 */
public final class KnownStatus {
  private static final String RESOURCE = "status.txt";
  private static final Map<String, StatusList> ALL = read();

  private KnownStatus() {}

  /** In which list a variable is; of one that is not known, the sum. */
  public static StatusList of(String name) {
    return ALL.getOrDefault(name, StatusList.SUM);
  }

  /** The names of all. */
  public static Set<String> names() {
    return ALL.keySet();
  }

  private static Map<String, StatusList> read() {
    Map<String, StatusList> all = new TreeMap<>();
    for (String line : TableLines.of(RESOURCE)) {
      int blank = line.indexOf(' ');
      all.put(
          line.substring(blank + 1),
          StatusList.valueOf(line.substring(0, blank).toUpperCase(Locale.ROOT)));
    }
    return Map.copyOf(all);
  }
}
