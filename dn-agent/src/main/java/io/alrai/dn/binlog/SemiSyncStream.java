package io.alrai.dn.binlog;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.BackendConnector;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent as the semi-synchronous replica of its mysqld: every commit there waits until the gate
 * lets it through. The mysqld must run with {@code rpl_semi_sync_source_enabled=ON} and wait when
 * there is no replica; then nothing becomes visible while this is not attached, and nothing is lost
 * when the connection breaks: a new one continues after what was received. A second connection is
 * kept logged in for that, because mysqld accepts no login while a statement about accounts waits.
 *
 * <p>Public methods may be called from any thread; all else happens on the loop.
 */
public final class SemiSyncStream {
  private static final Logger log = LoggerFactory.getLogger(SemiSyncStream.class);
  private static final long FIRST_PAUSE_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final DnId dn;
  private final BackendConnector connector;
  private final EventLoop loop;
  private final int keptBytes;
  private final LongEvents longOnes;
  private final CommitGate gate;
  private final AckedMark mark;
  private final WayOut wayOut;
  private final UUID self = UUID.randomUUID();
  private @Nullable Life current;
  private boolean closed;

  /**
   * A stream that is not attached.
   *
   * @param loop better one of its own: every commit waits for it
   * @param keptBytes transactions up to this length are given with their events
   * @param longOnes takes the events of others
   * @param mark where the place up to which commits were let through is kept
   * @param wayOut of a mysqld that lets nobody in
   */
  public SemiSyncStream(
      DnId dn,
      BackendConnector connector,
      EventLoop loop,
      int keptBytes,
      LongEvents longOnes,
      CommitGate gate,
      AckedMark mark,
      WayOut wayOut) {
    this.dn = dn;
    this.connector = connector;
    this.loop = loop;
    this.keptBytes = keptBytes;
    this.longOnes = longOnes;
    this.gate = gate;
    this.mark = mark;
    this.wayOut = wayOut;
  }

  /**
   * Begins with a mysqld that was just started. The future completes when its commits come here;
   * until then it is tried again and again. It fails when the stream is detached before, or closed.
   *
   * @param serverUuid of that mysqld
   */
  public CompletableFuture<Void> attach(UUID serverUuid) {
    CompletableFuture<Void> attached = new CompletableFuture<>();
    loop.execute(() -> {
      endLife();
      if (closed) {
        attached.completeExceptionally(new BinlogException("the stream is closed"));
        return;
      }
      Life life = new Life(serverUuid, attached);
      current = life;
      life.connect();
    });
    return attached;
  }

  /** Ends; commits of a mysqld that still runs wait from now on. Completes when that is done. */
  public CompletableFuture<Void> detach() {
    CompletableFuture<Void> detached = new CompletableFuture<>();
    loop.execute(() -> {
      endLife();
      detached.complete(null);
    });
    return detached;
  }

  /** As {@link #detach}, for good: whoever attaches it from now on fails. */
  public CompletableFuture<Void> close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(() -> {
      closed = true;
      endLife();
      done.complete(null);
    });
    return done;
  }

  /** Breaks the connection, which is opened again: for tests. */
  void breakConnection() {
    loop.execute(() -> {
      Life life = current;
      if (life != null) {
        life.breakConnection();
      }
    });
  }

  private void endLife() {
    Life life = current;
    current = null;
    if (life != null) {
      life.end();
    }
  }

  /** One life of the mysqld, over any number of connections. Loop only, except {@link #ack}. */
  private final class Life implements DumpConnection.Sink, Acks {
    private final UUID serverUuid;
    private final CompletableFuture<Void> attached;
    private final ArrayDeque<BinlogPosition> waiting = new ArrayDeque<>();
    private final Runnable readOn = this::readOn;
    private final StandBy standBy = new StandBy(dn, connector, loop);
    private @Nullable GtidSet received;
    private @Nullable DumpConnection connection;
    private @Nullable TransactionAssembler assembler;
    private @Nullable BinlogPosition allowed;
    private @Nullable BinlogPosition sent;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private long withoutSinceNanos = loop.ticker().nanoTime();
    private boolean streaming;
    private boolean killed;
    private boolean announced;
    private boolean inBatch;
    private boolean ended;

    Life(UUID serverUuid, CompletableFuture<Void> attached) {
      this.serverUuid = serverUuid;
      this.attached = attached;
    }

    void connect() {
      if (ended) {
        return;
      }
      assembler = new TransactionAssembler(keptBytes, longOnes, this::received);
      DumpConnection next = new DumpConnection(loop, self, true, this);
      connection = next;
      if (!standBy.giveTo(next)) {
        next.open(connector);
      }
      loop.schedule(() -> endLate(next), wayOut.login().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A login may be answered never. */
    @SuppressWarnings("ReferenceEquality") // the very connection, not an equal one
    private void endLate(DumpConnection attempt) {
      if (attempt == connection && !streaming) {
        attempt.fail(new BinlogException("no stream within " + wayOut.login().toMillis() + " ms"));
      }
    }

    @Override
    public GtidSet begin(GtidSet executed) {
      GtidSet known = received;
      if (known == null) {
        known = executed;
        received = known;
      }
      return known;
    }

    @Override
    public void attached() {
      pauseMillis = FIRST_PAUSE_MILLIS;
      streaming = true;
      standBy.keep();
      // an acknowledgement may have been lost with the last connection
      sent = null;
      sendAck();
    }

    @Override
    public void event(Event event) {
      TransactionAssembler into = assembler;
      if (into != null) {
        inBatch = true;
        into.accept(event);
        announce(into);
      }
    }

    /** The first event of a life says where the stream begins. */
    private void announce(TransactionAssembler at) {
      GtidSet visible = received;
      if (!announced && visible != null) {
        announced = true;
        gate.attached(this, visible.copy(), at.position());
        attached.complete(null);
      }
    }

    private void received(BinlogTransaction transaction) {
      GtidSet known = received;
      if (known == null || known.contains(transaction.gtid())) {
        throw new BinlogException(transaction.gtid() + " was sent twice");
      }
      known.add(transaction.gtid());
      waiting.add(transaction.end());
      gate.received(transaction);
    }

    @Override
    public void ack(BinlogPosition end) {
      if (!loop.inEventLoop()) {
        loop.execute(() -> ackLogged(end));
        return;
      }
      if (ended) {
        return;
      }
      BinlogPosition before = allowed;
      if (before != null && end.compareTo(before) <= 0) {
        return;
      }
      if (!waiting.contains(end)) {
        throw new IllegalArgumentException(end + " is not the end of a received transaction");
      }
      BinlogPosition next;
      do {
        next = waiting.remove();
      } while (!next.equals(end));
      allowed = end;
      // at once: what the gate does next tells others of it, and what was let through must never be
      // taken for the tail of a dead server
      mark.write(serverUuid, end);
      if (!inBatch) {
        sendAck();
      }
    }

    private void ackLogged(BinlogPosition end) {
      try {
        ack(end);
      } catch (IllegalArgumentException e) {
        log.error("{}: not acknowledged", dn, e);
      }
    }

    @Override
    public void batchEnd() {
      inBatch = false;
      sendAck();
      DumpConnection over = connection;
      if (over != null && longOnes.full(readOn)) {
        over.reading(false);
      }
    }

    private void readOn() {
      DumpConnection over = connection;
      if (over != null) {
        over.reading(true);
      }
    }

    private void sendAck() {
      BinlogPosition upTo = allowed;
      DumpConnection over = connection;
      if (upTo == null || over == null || upTo.equals(sent)) {
        return;
      }
      sent = upTo;
      over.ack(upTo);
    }

    @Override
    public void closed(Throwable reason) {
      connection = null;
      inBatch = false;
      if (ended) {
        return;
      }
      if (streaming) {
        streaming = false;
        withoutSinceNanos = loop.ticker().nanoTime();
      }
      log.warn("{}: the stream broke, next try in {} ms: {}", dn, pauseMillis, reason.toString());
      killIfLockedOut();
      loop.schedule(this::connect, pauseMillis, TimeUnit.MILLISECONDS);
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }

    /** What waits holds the locks that a login needs: only the mysqld's end lets go of them. */
    private void killIfLockedOut() {
      long without = loop.ticker().nanoTime() - withoutSinceNanos;
      if (!killed && without > wayOut.bound().toNanos()) {
        killed = true;
        log.error(
            "{}: its mysqld lets no stream in since {} s and all its commits wait: it is killed and"
                + " started again",
            dn,
            TimeUnit.NANOSECONDS.toSeconds(without));
        wayOut.kill().run();
      }
    }

    void breakConnection() {
      DumpConnection open = connection;
      if (open != null) {
        open.fail(new BinlogException("broken by a test"));
      }
    }

    void end() {
      ended = true;
      DumpConnection open = connection;
      connection = null;
      standBy.close();
      if (open != null) {
        open.close();
      }
      if (announced) {
        gate.detached();
      }
      attached.completeExceptionally(new BinlogException("the stream was detached"));
    }
  }
}
