package io.alrai.cn.settings;

import io.alrai.cn.variable.KnownVariables;
import io.alrai.dn.link.GroupLimit;
import io.alrai.gms.api.CatalogCommand;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The global values of variables that sessions have, where they are not the mysqlds': those that
 * sessions of all CNs begin with. The GMS keeps them. They are never set at a mysqld, which would
 * give them to some connections of a pool and not to others. Thread-safe.
 */
public final class GlobalVariables {
  private static final String PREFIX = "global.";

  /** {@value}: sessions of each CN. */
  public static final String MAX_CONNECTIONS = "max_connections";

  /** {@value}: sessions that an account may have where it has no limit of its own. */
  public static final String MAX_USER_CONNECTIONS = "max_user_connections";

  /** What MySQL allows. */
  private static final int MOST_CONNECTIONS = 100_000;

  private final Supplier<Map<String, String>> settings;
  private volatile int room = MOST_CONNECTIONS;
  private volatile @Nullable Known known;

  /** What the settings of one catalog say. */
  private record Known(Map<String, String> settings, Map<String, String> literals) {}

  /**
   * Those of a cluster.
   *
   * @param settings of the catalog as it is now; called often
   */
  public GlobalVariables(Supplier<Map<String, String>> settings) {
    this.settings = settings;
  }

  /** The command that keeps one; an empty literal for the mysqlds' own value. */
  public static CatalogCommand keeping(String name, String literal) {
    return new CatalogCommand.PutSetting(PREFIX + name, literal);
  }

  /** The literal of one, of a catalog's settings; empty where it is the mysqlds'. */
  public static Optional<String> literal(Map<String, String> catalog, String name) {
    return Optional.ofNullable(catalog.get(PREFIX + name));
  }

  /** SQL literals by name. */
  public Map<String, String> literals() {
    Map<String, String> now = settings.get();
    Known last = known;
    if (last == null || last.settings != now) {
      Map<String, String> literals = new TreeMap<>();
      now.forEach((name, literal) -> {
        if (name.startsWith(PREFIX)) {
          literals.put(name.substring(PREFIX.length()), literal);
        }
      });
      last = new Known(now, literals);
      known = last;
    }
    return last.literals;
  }

  /** Values by name; 1 or 0 for what is ON or OFF. */
  public Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    literals().forEach((name, literal) -> texts.put(name, text(literal)));
    return texts;
  }

  /** What SHOW VARIABLES shows of a literal. */
  public static String text(String literal) {
    if (literal.equals(VariableLiteral.NULL)) {
      return "";
    }
    if (literal.startsWith("_")) {
      return VariableValue.of(literal).text();
    }
    return literal.startsWith("'")
        ? literal.substring(1, literal.length() - 1).replace("''", "'").replace("\\\\", "\\")
        : literal;
  }

  /** The literal of one; empty where it is the mysqlds'. */
  public Optional<String> literal(String name) {
    return Optional.ofNullable(literals().get(name));
  }

  /** The value of a limit of groups: what was set, or what it is without. */
  public String limit(GroupLimit limit) {
    return literal(limit.variable()).orElse(Long.toString(limit.usual()));
  }

  /** Says for how many clients this CN has room: for one more than may be connected. */
  public void room(int clients) {
    room = clients;
  }

  /** The {@value #MAX_CONNECTIONS} of this CN: what was set, as far as there is room. */
  public int maxConnections() {
    int set = literal(MAX_CONNECTIONS).map(Integer::parseInt).orElse(MOST_CONNECTIONS);
    return Math.max(1, Math.min(set, room - 1));
  }

  /** The {@value #MAX_USER_CONNECTIONS}; 0 for any number. */
  public long maxUserConnections() {
    return literal(MAX_USER_CONNECTIONS).map(Long::parseLong).orElse(0L);
  }

  /** What was meant by a number that was given for one of these two. */
  public static long connections(String name, long given) {
    return name.equals(MAX_CONNECTIONS)
        ? Math.clamp(given, 1, MOST_CONNECTIONS)
        : Math.clamp(given, 0, 0xffff_ffffL);
  }

  /** Whether one that is ON or OFF is ON. */
  public boolean isOn(String name, boolean byDefault) {
    return literal(name).map(literal -> !literal.equals("0")).orElse(byDefault);
  }

  /** Those that the backends of a session must have. */
  Map<String, String> ofBackends() {
    Map<String, String> some = new TreeMap<>(literals());
    some.keySet().removeIf(name -> !KnownVariables.isOfBackends(name));
    return some;
  }
}
