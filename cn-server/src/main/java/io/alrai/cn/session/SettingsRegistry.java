package io.alrai.cn.session;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Gives one object for equal settings. Thread-safe. */
public final class SettingsRegistry {
  private static final int MAX_KEPT = 10_000;

  private final Map<SessionSettings, SessionSettings> known = new ConcurrentHashMap<>();
  private final SessionSettings defaults = intern(Map.of());
  private volatile boolean conflicts;

  /** Those of a fresh backend connection. */
  public SessionSettings defaults() {
    return defaults;
  }

  /** The global {@value OwnVariables#CONFLICTS} of this CN: that of sessions that begin. */
  public boolean conflicts() {
    return conflicts;
  }

  /** Sets it. */
  public void conflicts(boolean on) {
    conflicts = on;
  }

  /** The settings with one variable changed; an empty literal means the default. */
  public SessionSettings with(SessionSettings settings, String name, String literal) {
    return with(settings, Map.of(name, literal));
  }

  /** The settings with some variables changed; an empty literal means the default. */
  public SessionSettings with(SessionSettings settings, Map<String, String> changes) {
    TreeMap<String, String> literals = new TreeMap<>(settings.literals());
    changes.forEach((name, literal) -> {
      if (literal.isEmpty()) {
        literals.remove(name);
      } else {
        literals.put(name, literal);
      }
    });
    return intern(literals);
  }

  private SessionSettings intern(Map<String, String> literals) {
    if (known.size() > MAX_KEPT) {
      known.clear();
    }
    SessionSettings fresh = new SessionSettings(literals);
    SessionSettings first = known.putIfAbsent(fresh, fresh);
    return first == null ? fresh : first;
  }
}
