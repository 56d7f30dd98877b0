package io.alrai.cn.settings;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Gives one object for equal settings. Thread-safe. */
public final class SettingsRegistry {
  private static final int MAX_KEPT = 10_000;

  /** MySQL's default of connect_timeout. */
  private static final int CONNECT_TIMEOUT_SECONDS = 10;

  private final SecureTransport transport;
  private final GlobalVariables globals;
  private final Map<SessionSettings, SessionSettings> known = new ConcurrentHashMap<>();
  private final SessionSettings defaults = intern(Map.of());
  private volatile boolean conflicts;
  private volatile boolean rowCache = true;
  private volatile String slowLogFile = "";
  private volatile boolean digests = true;
  private volatile long statementMillis;
  private volatile int connectTimeoutSeconds = CONNECT_TIMEOUT_SECONDS;
  private volatile ReplicaSettings replicas = ReplicaSettings.standard();
  private volatile AnalyticSettings analytic = AnalyticSettings.standard();
  private volatile Runnable followsFlush = () -> {};
  private volatile Runnable followsResources = () -> {};
  private volatile Consumer<Boolean> followsDigests = counts -> {};
  private volatile Consumer<AnalyticSettings> followsAnalytic = changed -> {};

  /** Those of a CN without TLS. */
  public SettingsRegistry() {
    this(new SecureTransport(Optional.empty(), false, false), new GlobalVariables(Map::of));
  }

  /** Those of a CN. */
  public SettingsRegistry(SecureTransport transport, GlobalVariables globals) {
    this.transport = transport;
    this.globals = globals;
  }

  /** The global values of variables that sessions have. */
  public GlobalVariables globals() {
    return globals;
  }

  /** What this CN has and demands of TLS. */
  public SecureTransport transport() {
    return transport;
  }

  /** How long a client may take to log in: the global connect_timeout. */
  public int connectTimeoutSeconds() {
    return connectTimeoutSeconds;
  }

  /** Sets it, for clients that come from now on. */
  public void connectTimeoutSeconds(int seconds) {
    connectTimeoutSeconds = seconds;
  }

  /** Those of a fresh backend connection. */
  public SessionSettings defaults() {
    return defaults;
  }

  /** Those of a session that begins. */
  public SessionSettings initial() {
    Map<String, String> changed = globals.ofBackends();
    return changed.isEmpty() ? defaults : intern(changed);
  }

  /** The global {@value OwnVariables#CONFLICTS} of this CN: that of sessions that begin. */
  public boolean conflicts() {
    return conflicts;
  }

  public void conflicts(boolean on) {
    conflicts = on;
  }

  /** The global {@value OwnVariables#ROW_CACHE} of this CN. */
  public boolean rowCache() {
    return rowCache;
  }

  public void rowCache(boolean on) {
    rowCache = on;
  }

  /** Where this CN writes slow statements: its {@code slow_query_log_file}. */
  public String slowLogFile() {
    return slowLogFile;
  }

  public void slowLogFile(String path) {
    slowLogFile = path;
  }

  /** The global {@value OwnVariables#STATEMENT_DIGESTS} of this CN. */
  public boolean digests() {
    return digests;
  }

  public void digests(boolean on) {
    digests = on;
    followsDigests.accept(on);
  }

  /** Who counts statements, or does not. */
  public void followDigests(Consumer<Boolean> follower) {
    followsDigests = follower;
  }

  /** The global {@value OwnVariables#STATEMENT_TIMEOUT} of this CN: that of sessions that begin. */
  public long statementMillis() {
    return statementMillis;
  }

  public void statementMillis(long millis) {
    statementMillis = millis;
  }

  /** Which reads of sessions that begin go to members that follow. */
  public ReplicaSettings replicas() {
    return replicas;
  }

  public void replicas(ReplicaSettings changed) {
    replicas = changed;
  }

  /** What analytical work of this CN may have. */
  public AnalyticSettings analytic() {
    return analytic;
  }

  /** Changes it, at once also for what runs. */
  public void analytic(AnalyticSettings changed) {
    analytic = changed;
    followsAnalytic.accept(changed);
  }

  /** Who does something at FLUSH PRIVILEGES. */
  public void followFlush(Runnable follower) {
    followsFlush = follower;
  }

  /** FLUSH PRIVILEGES. */
  public void flushPrivileges() {
    followsFlush.run();
  }

  /** Who does something at FLUSH USER_RESOURCES; may block. */
  public void followResources(Runnable follower) {
    followsResources = follower;
  }

  /** FLUSH USER_RESOURCES; may block. */
  public void flushResources() {
    followsResources.run();
  }

  /**
   * Notifies a follower of the current settings, and of each later change on the thread that
   * changes them.
   */
  public void followAnalytic(Consumer<AnalyticSettings> follower) {
    followsAnalytic = follower;
    follower.accept(analytic);
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
