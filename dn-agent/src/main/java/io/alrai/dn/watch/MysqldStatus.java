package io.alrai.dn.watch;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is measured of a mysqld: its agent asks for its status every few seconds, and for nothing
 * every second, over a connection that stays open, and waits for an answer for so long at most. At
 * most one question, or one login, is under way. On its loop, but for what is read of it, {@link
 * #start} and {@link #close}.
 */
public final class MysqldStatus implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MysqldStatus.class);

  /** How often it asks one that answers for its status. */
  static final long EVERY_MILLIS = 5_000;

  /** How often it asks at all. */
  static final long AGAIN_MILLIS = 1_000;

  /** How long it waits for an answer. */
  static final long MOST_MILLIS = 2_000;

  /** One that takes longer is slow; the alert about it has the same bound. */
  static final double SLOW_SECONDS = 0.5;

  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;

  private static final Sql NOTHING = Sql.of("SELECT 1");

  private final DnId dn;
  private final BackendConnector connector;
  private final EventLoop loop;
  private final LongAdder silences;
  private volatile Map<Metric, Long> values = Map.of();
  private volatile boolean answers;

  /** Since when an answer is waited for, while it is; else how long the last one took. */
  private volatile boolean asks;

  private volatile long askedNanos;
  private volatile long tookNanos;
  private long statusNanos;
  private volatile @Nullable ScheduledFuture<?> looks;
  private @Nullable Connection current;

  /**
   * Does not ask yet.
   *
   * @param connector to the mysqld
   */
  public MysqldStatus(DnId dn, BackendConnector connector, EventLoop loop, Metrics metrics) {
    this.dn = dn;
    this.connector = connector;
    this.loop = loop;
    this.silences = metrics.adder(Metric.MYSQLD_SILENCES, dn);
    metrics.now(Metric.MYSQLD_UP, dn, () -> answers() ? 1 : 0);
    metrics.now(Metric.MYSQLD_ANSWER, dn, this::answerSeconds);
    for (Metric metric : StatusQuestion.METRICS) {
      if (metric.kind() == Metric.Kind.NOW) {
        metrics.now(metric, dn, () -> value(metric));
      } else {
        metrics.counted(metric, dn, () -> value(metric));
      }
    }
  }

  private long value(Metric metric) {
    return values.getOrDefault(metric, 0L);
  }

  /** Whether it has answered the last question. Any thread. */
  public boolean answers() {
    return answers && answerSeconds() * NANOS <= TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
  }

  /** How long the last answer took, or has taken so far. Any thread. */
  public double answerSeconds() {
    return (asks ? loop.ticker().nanoTime() - askedNanos : tookNanos) / NANOS;
  }

  /**
   * What is amiss with it; empty where it answers quickly, and before its first answer. Any thread.
   */
  public String amiss() {
    double seconds = answerSeconds();
    if (values.isEmpty()) {
      return "";
    }
    if (!answers()) {
      return "its mysqld does not answer";
    }
    return seconds <= SLOW_SECONDS
        ? ""
        : "its mysqld takes " + Math.round(seconds * MILLIS) + " ms for a small question";
  }

  /** Begins to ask. Any thread. */
  public void start() {
    looks = loop.scheduleWithFixedDelay(this::look, 0, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    if (asks) { // or a login, which is bounded
      return;
    }
    askedNanos = loop.ticker().nanoTime();
    asks = true;
    Connection open = current;
    if (open == null) {
      open = new Connection();
      current = open;
      connector.open(loop, BackendAccount.AGENT, open, open);
    } else {
      open.ask();
    }
  }

  private Sql question() {
    if (answers && askedNanos - statusNanos < TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS)) {
      return NOTHING;
    }
    statusNanos = askedNanos;
    return StatusQuestion.SQL;
  }

  private void answered(Answer answer) {
    if (askedNanos == statusNanos) {
      Map<Metric, Long> read = new EnumMap<>(Metric.class);
      for (List<String> row : answer.rows()) {
        StatusQuestion.read(row, read);
      }
      values = read;
    }
    if (!answers) {
      log.info("{}: its mysqld says its status", dn);
    }
    answers = true;
    tookNanos = loop.ticker().nanoTime() - askedNanos;
    asks = false;
  }

  /** No answer, or none in time. */
  private void failed(String reason) {
    if (!asks) {
      return;
    }
    if (answers) {
      log.warn("{}: its mysqld does not say its status: {}", dn, reason);
    }
    answers = false;
    tookNanos = loop.ticker().nanoTime() - askedNanos;
    asks = false;
  }

  @Override
  public void close() {
    OwnConnection.close(loop, looks, () -> current);
  }

  /** One connection; another follows when it has ended. */
  private final class Connection extends OwnConnection {
    private final ScheduledFuture<?> login =
        loop.schedule(() -> silent("a login"), MOST_MILLIS, TimeUnit.MILLISECONDS);

    @Override
    void opened() {
      login.cancel(false);
      ask();
    }

    private void silent(String to) {
      silences.increment();
      answers = false;
      log.warn("{}: its mysqld has not answered {} for {} ms", dn, to, MOST_MILLIS);
    }

    void ask() {
      Branch on = branch();
      if (on == null) {
        return;
      }
      ScheduledFuture<?> bound =
          loop.schedule(
              () -> {
                silent("the question for its status");
                on.close();
              },
              MOST_MILLIS,
              TimeUnit.MILLISECONDS);
      Answer.of(on, question())
          .whenComplete((answer, error) -> {
            bound.cancel(false);
            if (error == null) {
              answered(answer);
            } else {
              failed(String.valueOf(error.getMessage()));
            }
          });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very connection, not an equal one
    void ended(String reason) {
      login.cancel(false);
      if (current == this) {
        current = null;
        failed(reason);
      }
    }
  }
}
