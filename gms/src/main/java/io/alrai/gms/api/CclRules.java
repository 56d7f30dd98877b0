package io.alrai.gms.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The CCL rules of a cluster: settings of the catalog, one for each, so that a version that knows
 * no rules reads it.
 *
 * <pre>
 *  ccl.NAME = lines: version, name, schema, table, user, host, verb, concurrency, queue, seconds,
 *             fast match, created, number of keywords, keywords.., templates..
 * </pre>
 *
 * In a line a backslash is {@code \\} and the end of a line {@code \n}.
 */
public final class CclRules {
  /** How many there may be: each new shape of a statement is compared with all. */
  public static final int MOST = 1_000;

  private static final String PREFIX = "ccl.";
  private static final String VERSION = "1";
  private static final int FIELDS = 13;

  private CclRules() {}

  /** All, in the order in which they are asked; what another version wrote is left out. */
  public static List<CclRule> of(Catalog catalog) {
    List<CclRule> rules = new ArrayList<>();
    for (Map.Entry<String, String> setting : catalog.settings().entrySet()) {
      if (setting.getKey().startsWith(PREFIX)) {
        read(setting.getValue()).ifPresent(rules::add);
      }
    }
    rules.sort(Comparator.comparingLong(CclRule::createdMillis).thenComparing(CclRule::name));
    return rules;
  }

  /** Whether there is one of that name. */
  public static boolean has(Catalog catalog, String name) {
    return catalog.settings().containsKey(PREFIX + CclRule.key(name));
  }

  /** How many there are. */
  public static long count(Catalog catalog) {
    return catalog.settings().keySet().stream().filter(key -> key.startsWith(PREFIX)).count();
  }

  /** What adds one, or puts it into the place of the one of its name. */
  public static CatalogCommand put(CclRule rule) {
    return new CatalogCommand.PutSetting(PREFIX + CclRule.key(rule.name()), write(rule));
  }

  /** What takes one out. */
  public static CatalogCommand drop(String name) {
    return new CatalogCommand.PutSetting(PREFIX + CclRule.key(name), "");
  }

  /** What takes out all that are there. */
  public static CatalogCommand clear(Catalog catalog) {
    return new CatalogCommand.Batch(
        catalog.settings().keySet().stream()
            .filter(key -> key.startsWith(PREFIX))
            .sorted()
            .map(key -> (CatalogCommand) new CatalogCommand.PutSetting(key, ""))
            .toList());
  }

  private static String write(CclRule rule) {
    List<String> lines = new ArrayList<>();
    lines.add(VERSION);
    lines.add(rule.name());
    lines.add(rule.on().schema());
    lines.add(rule.on().table());
    lines.add(rule.to().user());
    lines.add(rule.to().host());
    lines.add(rule.verb().name());
    lines.add(Integer.toString(rule.limits().concurrency()));
    lines.add(Integer.toString(rule.limits().queue()));
    lines.add(Integer.toString(rule.limits().waitSeconds()));
    lines.add(rule.limits().fastMatch() ? "1" : "0");
    lines.add(Long.toString(rule.createdMillis()));
    lines.add(Integer.toString(rule.filter().keywords().size()));
    lines.addAll(rule.filter().keywords());
    lines.addAll(rule.filter().templates());
    return String.join(
        "\n", lines.stream().map(line -> line.replace("\\", "\\\\").replace("\n", "\\n")).toList());
  }

  private static Optional<CclRule> read(String written) {
    List<String> lines = new ArrayList<>();
    for (String line : written.split("\n", -1)) {
      lines.add(unescaped(line));
    }
    if (!lines.getFirst().equals(VERSION)) {
      return Optional.empty();
    }
    try {
      return Optional.of(rule(lines));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty(); // of a version that has more of them
    }
  }

  private static CclRule rule(List<String> lines) {
    int keywords = FIELDS + Integer.parseInt(lines.get(FIELDS - 1));
    return new CclRule(
        lines.get(1),
        new CclRule.Scope(lines.get(2), lines.get(3)),
        new CclRule.Client(lines.get(4), lines.get(5)),
        CclRule.Verb.valueOf(lines.get(6)),
        new CclRule.Filter(lines.subList(FIELDS, keywords), lines.subList(keywords, lines.size())),
        new CclRule.Limits(
            Integer.parseInt(lines.get(7)),
            Integer.parseInt(lines.get(8)),
            Integer.parseInt(lines.get(9)),
            lines.get(10).equals("1")),
        Long.parseLong(lines.get(11)));
  }

  private static String unescaped(String line) {
    StringBuilder text = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && i + 1 < line.length()) {
        c = line.charAt(++i) == 'n' ? '\n' : '\\';
      }
      text.append(c);
    }
    return text.toString();
  }
}
