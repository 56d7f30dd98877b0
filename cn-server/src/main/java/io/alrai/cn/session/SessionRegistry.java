package io.alrai.cn.session;

import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.pressure.Pressure;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.UseCounts;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sessions of one CN. Thread-safe. */
public final class SessionRegistry {
  private static final Logger log = LoggerFactory.getLogger(SessionRegistry.class);
  private static final int NODE_SHIFT = 21;

  /** A session that can be ended from outside. */
  public interface Entry {
    /** Its state; fields that are not volatile may be a little old. */
    Session session();

    /** What it does now; completes on its event loop. */
    CompletableFuture<SessionWork> work();

    /** How many commands its client has sent; any thread. */
    int commands();

    /** Whether one is at work; any thread. */
    boolean atWork();

    /** Ends it, as its client has sent nothing for too long, unless it does now. */
    void endIdle();

    /** Ends it, as its CN does, before its client's next command that is of no transaction. */
    void endAfterTransaction();

    /** Ends it now, unless it has a command at work, or a transaction. */
    void endQuiet();

    /** KILL QUERY: ends what it runs. */
    void killQuery();

    /** KILL: ends it. */
    void killConnection();
  }

  private static final Comparator<Session> BY_ID = Comparator.comparingInt(SessionRegistry::id);

  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final int cnNumber;
  private final UseCounts uses;
  private final ClusterAsk asks;
  private final Pressure pressure;
  private final PreparedRoom prepared = PreparedRoom.of(Runtime.getRuntime().maxMemory());

  /**
   * The sessions of a CN.
   *
   * @param cnNumber 1 to 1023: the high bits of connection ids
   * @param uses counts what they do
   * @param asks asks the other CNs for theirs
   * @param pressure how many statements they may have at work
   */
  public SessionRegistry(int cnNumber, UseCounts uses, ClusterAsk asks, Pressure pressure) {
    this.pressure = pressure;
    this.cnNumber = cnNumber;
    this.uses = uses;
    this.asks = asks;
  }

  /** What is counted of them. */
  public UseCounts uses() {
    return uses;
  }

  /** How the other CNs are asked for theirs. */
  public ClusterAsk asks() {
    return asks;
  }

  /** How many statements they may have at work. */
  public Pressure pressure() {
    return pressure;
  }

  /** How many prepared statements they may have. */
  public PreparedRoom prepared() {
    return prepared;
  }

  /** A connection id never given before: positive, and unique over the CNs of a cluster. */
  public int nextConnectionId() {
    uses.connected();
    int number = next.incrementAndGet() & ((1 << NODE_SHIFT) - 1);
    return cnNumber == 1 ? number : cnNumber << NODE_SHIFT | number;
  }

  /** The number of the CN to which a session of that id belongs. */
  public static int cnOf(int connectionId) {
    return Math.max(1, connectionId >>> NODE_SHIFT);
  }

  /** Whether a session of that id would be one of this CN. */
  public boolean owns(int connectionId) {
    return cnOf(connectionId) == cnNumber;
  }

  /** The lowest and the highest id that sessions of a CN have. */
  public static String ids(int cnNumber) {
    long first = cnNumber == 1 ? 1 : (long) cnNumber << NODE_SHIFT;
    long last = ((cnNumber == 1 ? 0L : cnNumber) << NODE_SHIFT) + (1L << NODE_SHIFT) - 1;
    return first + "-" + last;
  }

  /** A session begins. */
  public void add(Entry entry) {
    entries.put(entry.session().client().connectionId(), entry);
    uses.sessions(entries.size());
  }

  /** A session has ended. */
  public void remove(int connectionId) {
    entries.remove(connectionId);
  }

  /** The session of that id. */
  public Optional<Entry> find(int connectionId) {
    return Optional.ofNullable(entries.get(connectionId));
  }

  /** Ends those whose clients have sent nothing for longer than they may; one thread. */
  public void endIdle() {
    long now = Idleness.steadyMillis();
    for (Entry entry : entries.values()) {
      if (entry.session().idleness().over(entry.commands(), entry.atWork(), now)) {
        entry.endIdle();
      }
    }
  }

  /**
   * What all sessions do now; blocks.
   *
   * @param boundMillis how long their loops may take to say so
   */
  public Map<Session, SessionWork> work(long boundMillis) {
    return work(all(), (session, work) -> work, boundMillis);
  }

  /**
   * What sessions do now; blocks.
   *
   * @param shown what is kept of a session's work, as statements may be long; called by any thread
   * @param boundMillis how long their loops may take to say so
   */
  public <T> Map<Session, T> work(
      Collection<Entry> wanted, BiFunction<Session, SessionWork, T> shown, long boundMillis) {
    Map<Session, CompletableFuture<T>> asked = new HashMap<>();
    for (Entry entry : wanted) {
      Session session = entry.session();
      SessionWork unknown = SessionWork.unknown(session);
      asked.put(
          session,
          entry
              .work()
              .completeOnTimeout(unknown, boundMillis, TimeUnit.MILLISECONDS)
              .thenApply(work -> shown.apply(session, work))
              .exceptionally(failure -> {
                log.warn("session {} does not tell what it does", id(session), failure);
                return shown.apply(session, unknown);
              }));
    }
    Map<Session, T> work = new TreeMap<>(BY_ID);
    asked.forEach((session, answer) -> work.put(session, answer.join()));
    return work;
  }

  private static int id(Session session) {
    return session.client().connectionId();
  }

  /** All open sessions. */
  public Collection<Entry> all() {
    return entries.values();
  }
}
