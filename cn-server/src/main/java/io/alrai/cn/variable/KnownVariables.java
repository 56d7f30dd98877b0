package io.alrai.cn.variable;

import io.alrai.cn.variable.KnownVariable.Asked;
import io.alrai.cn.variable.KnownVariable.InGlobal;
import io.alrai.cn.variable.KnownVariable.InSession;
import io.alrai.common.sql.VariableName;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The table of MySQL's system variables, {@code variables.txt}. What is not in it cannot be set. A
 * test compares it with what a mysqld has.
 */
public final class KnownVariables {
  private static final String RESOURCE = "variables.txt";

  private static final Map<String, KnownVariable> ALL = read();

  private static final Set<String> OF_BACKENDS =
      ALL.values().stream()
          .filter(variable -> variable.session() == InSession.BACKEND)
          .map(variable -> variable.name().text())
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> HIDDEN =
      ALL.values().stream()
          .filter(KnownVariable::hidden)
          .map(variable -> variable.name().text())
          .collect(Collectors.toUnmodifiableSet());

  /** The CN has it, and backends begin transactions with it. */
  private static final String ISOLATION = "transaction_isolation";

  private KnownVariables() {}

  /** What is known of one; key caches have the variables of the first one. */
  public static Optional<KnownVariable> of(VariableName name) {
    String text = name.text();
    int dot = text.indexOf('.');
    boolean cache = dot > 0 && text.startsWith("key_", dot + 1);
    return Optional.ofNullable(ALL.get(cache ? text.substring(dot + 1) : text));
  }

  /** Whether a session's value is set on the connections that work for it. */
  public static boolean isOfBackends(String name) {
    return OF_BACKENDS.contains(name) || name.equals(ISOLATION);
  }

  /** Whether a session's value is only shown. */
  public static boolean isKept(String name) {
    KnownVariable known = ALL.get(name);
    return known != null && known.session() == InSession.KEPT;
  }

  /** Whether a value tells of a mysqld's files or log. */
  public static boolean isHidden(String name) {
    return HIDDEN.contains(name);
  }

  /** Those that tell of a mysqld's files or log. */
  public static Set<String> hidden() {
    return HIDDEN;
  }

  /** All, by name. */
  public static Collection<KnownVariable> all() {
    return ALL.values();
  }

  private static Map<String, KnownVariable> read() {
    Map<String, KnownVariable> all = new TreeMap<>();
    TableLines.of(RESOURCE).stream()
        .map(KnownVariables::parse)
        .forEach(variable -> all.put(variable.name().text(), variable));
    return Map.copyOf(all);
  }

  private static KnownVariable parse(String line) {
    String[] words = line.split(" ", -1);
    Optional<Asked> asks = Optional.empty();
    int within = 0;
    boolean hidden = false;
    boolean persists = true;
    for (int i = 3; i < words.length; i++) {
      String word = words[i];
      if (word.startsWith("asks:")) {
        asks = Optional.of(Asked.valueOf(upper(word.substring("asks:".length()))));
      } else if (word.startsWith("within:")) {
        within = Integer.parseInt(word.substring("within:".length()));
      } else if (word.equals("hidden")) {
        hidden = true;
      } else if (word.equals("unpersisted")) {
        persists = false;
      } else {
        throw new IllegalStateException("what is " + word + " in: " + line);
      }
    }
    return new KnownVariable(
        VariableName.of(words[0]),
        InSession.valueOf(upper(words[1])),
        InGlobal.valueOf(upper(words[2])),
        asks,
        within,
        hidden,
        persists);
  }

  private static String upper(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
