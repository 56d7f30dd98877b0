package io.alrai.dn.watch;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a row of a leader's mysqld again and again: one that does not answer, though it has not
 * ended, is no leader. Over a connection that stays open, as a mysqld accepts no login while a
 * statement about accounts waits. What this process has slept is not the mysqld's silence. On its
 * loop, but for {@link #start} and {@link #close}.
 */
public final class MysqldPulse implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MysqldPulse.class);

  /** How often it asks. */
  static final long EVERY_MILLIS = 250;

  /** How long it waits for an answer. */
  static final long MOST_MILLIS = 2_000;

  private static final Sql READ = Sql.of("SELECT COUNT(*) FROM alrai.tx_log WHERE txid=''");

  private final DnId dn;
  private final BackendConnector connector;
  private final EventLoop loop;
  private final Consumer<String> silent;
  private volatile @Nullable Future<?> looks;
  private @Nullable Connection current;
  private long lookedNanos;

  /**
   * Does not ask yet.
   *
   * @param connector to the mysqld
   * @param silent is given, once, how long there was no answer
   */
  public MysqldPulse(DnId dn, BackendConnector connector, EventLoop loop, Consumer<String> silent) {
    this.dn = dn;
    this.connector = connector;
    this.loop = loop;
    this.silent = silent;
  }

  /** Begins to ask. Any thread. */
  public void start() {
    lookedNanos = nanos();
    looks =
        loop.scheduleWithFixedDelay(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    long now = nanos();
    long slept = now - lookedNanos - TimeUnit.MILLISECONDS.toNanos(2 * EVERY_MILLIS);
    lookedNanos = now;
    Connection open = current;
    if (open == null) {
      Connection begun = new Connection();
      current = begun;
      connector.open(loop, BackendAccount.AGENT, begun, begun);
    } else if (open.asks && slept > 0) {
      open.askedNanos += slept;
    } else if (open.asks) {
      long millis = TimeUnit.NANOSECONDS.toMillis(now - open.askedNanos);
      if (millis > MOST_MILLIS) {
        log.error("{}: its mysqld has not answered a read for {} ms", dn, millis);
        close();
        silent.accept("no answer to a read for " + millis + " ms");
      }
    } else {
      open.ask(now);
    }
  }

  private long nanos() {
    return loop.ticker().nanoTime();
  }

  @Override
  public void close() {
    OwnConnection.close(loop, looks, () -> current);
  }

  /** One connection; another follows when it has ended. */
  private final class Connection extends OwnConnection {
    private boolean asks;
    private long askedNanos;

    void ask(long now) {
      Branch on = branch();
      if (on == null) {
        return; // its login may take as long as a statement about accounts waits
      }
      asks = true;
      askedNanos = now;
      Answer.of(on, READ)
          .whenComplete((answer, error) -> {
            asks = false;
            if (error != null) {
              log.debug("{}: the reading of a row: {}", dn, error.toString());
            }
          });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very connection, not an equal one
    void ended(String reason) {
      asks = false;
      if (current == this) {
        current = null;
      }
    }
  }
}
