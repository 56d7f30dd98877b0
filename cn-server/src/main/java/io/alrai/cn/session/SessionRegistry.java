package io.alrai.cn.session;

import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.UseCounts;
import io.alrai.cn.tx.branch.OpenTransaction;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The sessions of one CN. Thread-safe. */
public final class SessionRegistry {
  private static final int NODE_SHIFT = 21;

  /** A session that can be ended from outside. */
  public interface Entry {
    /** Its state; fields that are not volatile may be a little old. */
    Session session();

    /** Its transaction if one is open; completes on its event loop. */
    CompletableFuture<Optional<OpenTransaction>> openTransaction();

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

  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final int cnNumber;
  private final UseCounts uses;
  private final PreparedRoom prepared = PreparedRoom.of(Runtime.getRuntime().maxMemory());

  /**
   * The sessions of a CN.
   *
   * @param cnNumber 1 to 1023: the high bits of connection ids
   * @param uses counts what they do
   */
  public SessionRegistry(int cnNumber, UseCounts uses) {
    this.cnNumber = cnNumber;
    this.uses = uses;
  }

  /** What is counted of them. */
  public UseCounts uses() {
    return uses;
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

  /** All open sessions. */
  public Collection<Entry> all() {
    return entries.values();
  }
}
