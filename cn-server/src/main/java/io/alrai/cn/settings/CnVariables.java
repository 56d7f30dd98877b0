package io.alrai.cn.settings;

import io.alrai.cn.variable.KnownVariables;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.workload.Workload;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Session variables that the CN keeps for itself: mysqlds do not get them, because their
 * connections serve many sessions. Owned as the session is.
 */
public final class CnVariables {
  /** Which id the next INSERT makes that makes one. */
  public static final String INSERT_ID = "insert_id";

  /** One half of what RAND() goes on from. */
  public static final String RAND_SEED1 = "rand_seed1";

  /** The other half. */
  public static final String RAND_SEED2 = "rand_seed2";

  private static final String NET_WRITE = "net_write_timeout";
  private static final String SELECT_MILLIS = "max_execution_time";
  private static final String NET_READ = "net_read_timeout";
  private static final String LONG_QUERY = "long_query_time";
  private static final long LONG_QUERY_NANOS = 10_000_000_000L;
  private static final long NET_WRITE_SECONDS = 60;
  private static final long NET_READ_SECONDS = 30;

  private static final String AUTO_IS_NULL = "sql_auto_is_null";

  private final Map<String, String> kept = new HashMap<>();
  private boolean nullsAreIds;
  private long longQueryNanos = LONG_QUERY_NANOS;
  private volatile long netWriteSeconds = NET_WRITE_SECONDS;
  private volatile long netReadSeconds = NET_READ_SECONDS;
  private long selectMillis;
  private long statementMillis;
  private final Map<String, Long> seeds = new HashMap<>();
  private final StatementTally statements = new StatementTally();
  private boolean seedsAreNew;
  private long insertId;
  private CompletionType completion = CompletionType.NO_CHAIN;
  private Optional<Workload> workload = Optional.empty();

  public CnVariables() {}

  /** What status variables count of it. */
  public StatementTally statements() {
    return statements;
  }

  /** With the global values. */
  public void begin(GlobalVariables globals) {
    statements.clear();
    completion = CompletionType.initial(globals);
    workload = Optional.empty();
    insertId = 0;
    seeds.clear();
    kept.clear();
    globals
        .literals()
        .forEach((name, literal) -> {
          if (KnownVariables.isKept(name)) {
            kept.put(name, literal);
          }
        });
    keptChanged();
  }

  private void keptChanged() {
    netWriteSeconds = number(NET_WRITE, NET_WRITE_SECONDS);
    netReadSeconds = number(NET_READ, NET_READ_SECONDS);
    selectMillis = number(SELECT_MILLIS, 0);
    String longQuery = kept.getOrDefault(LONG_QUERY, "");
    longQueryNanos =
        longQuery.isEmpty()
            ? LONG_QUERY_NANOS
            : Math.round(Double.parseDouble(longQuery) * 1e6) * 1000;
    nullsAreIds = kept.getOrDefault(AUTO_IS_NULL, "0").equals("1");
  }

  /** Whether it is a number without sign for clients. */
  public static boolean isUnsigned(String name) {
    return name.equals(SELECT_MILLIS) || name.equals(NET_WRITE) || name.equals(NET_READ);
  }

  private long number(String name, long initial) {
    String literal = kept.getOrDefault(name, "");
    return literal.isEmpty() ? initial : Long.parseLong(literal);
  }

  /** How long a client may take nothing of what is sent to it. Any thread. */
  public long netWriteSeconds() {
    return netWriteSeconds;
  }

  /** {@value #SELECT_MILLIS}: how long a SELECT may take, in milliseconds; 0 for no limit. */
  public long selectMillis() {
    return selectMillis;
  }

  /** How long a statement over rows may take, in milliseconds; 0 for no limit. */
  public long statementMillis() {
    return statementMillis;
  }

  public void statementMillis(long millis) {
    statementMillis = millis;
  }

  /** How long a client may send nothing of what it has begun to send. Any thread. */
  public long netReadSeconds() {
    return netReadSeconds;
  }

  /** {@code long_query_time}: a statement that takes longer is slow. */
  public long longQueryNanos() {
    return longQueryNanos;
  }

  /** {@code sql_auto_is_null}: whether NULL of an AUTO_INCREMENT column means LAST_INSERT_ID(). */
  public boolean nullsAreIds() {
    return nullsAreIds;
  }

  /** SQL literals of variables that are only shown, by name, where they differ from a mysqld's. */
  public Map<String, String> kept() {
    return Collections.unmodifiableMap(kept);
  }

  /** Keeps one; an empty literal for the mysqlds' value. */
  public void kept(String name, String literal) {
    if (literal.isEmpty()) {
      kept.remove(name);
    } else {
      kept.put(name, literal);
    }
    keptChanged();
  }

  /** {@value #INSERT_ID}; 0 for none. */
  public long insertId() {
    return insertId;
  }

  public void insertId(long id) {
    insertId = id;
  }

  /** Takes it for a statement that makes ids: the next one makes its own. 0 for none. */
  public long takeInsertId() {
    long id = insertId;
    insertId = 0;
    return id;
  }

  /** Seeds of RAND(), by name, until a statement that calls it has taken them. */
  public Map<String, Long> seeds() {
    return Collections.unmodifiableMap(seeds);
  }

  public void seed(String name, long value) {
    seeds.put(name, value);
    seedsAreNew = true;
  }

  /** A statement ends that has nothing to do with seeds, as BEGIN and SET of others. */
  public void seedsStay() {
    seedsAreNew = !seeds.isEmpty();
  }

  /**
   * Notes the end of a statement: seeds are for the first one after the SET of them.
   *
   * @return whether there are none any more
   */
  public boolean seedsUsed() {
    if (seeds.isEmpty() || seedsAreNew) {
      seedsAreNew = false;
      return false;
    }
    seeds.clear();
    return true;
  }

  /** What follows COMMIT and ROLLBACK that do not say it. */
  public CompletionType completion() {
    return completion;
  }

  public void completion(CompletionType type) {
    completion = type;
  }

  /** {@code workload_type}: TP, AP, or empty for AUTO. */
  public Optional<Workload> workload() {
    return workload;
  }

  public void workload(Optional<Workload> wish) {
    workload = wish;
  }

  /** Whether an account may see where its cluster's mysqlds have their files. */
  public static boolean seesServers(Access access) {
    return access.has(Privilege.SUPER)
        || access.has(DynamicPrivilege.SYSTEM_VARIABLES_ADMIN)
        || access.has(DynamicPrivilege.SENSITIVE_VARIABLES_OBSERVER);
  }
}
