package io.alrai.gms.client;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.thread.Pause;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.command.Question;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets requests to the leader, whoever that is: tries again after every failure that may pass,
 * until the time is up. A command that is sent again carries the name of its first sending, so that
 * it is applied once. Blocks; thread-safe.
 */
final class LeaderLine {
  private static final long PAUSE_MILLIS = 50;

  /**
   * How far ahead timestamps are reserved: less than the nodes bear of a clock that is ahead, as a
   * new leader begins above.
   */
  private static final long TIMESTAMPS_AHEAD_MILLIS = 300;

  private static final Logger log = LoggerFactory.getLogger(LeaderLine.class);

  private final LeaderCalls calls;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final Retries retries;
  private final Latency callTimes;
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicBoolean reserving = new AtomicBoolean();

  /**
   * A line over some calls.
   *
   * @param patience how long one request may take in all
   * @param metrics count what has to be sent again
   * @param nanoTime as {@link System#nanoTime}
   */
  LeaderLine(LeaderCalls calls, Duration patience, Metrics metrics, LongSupplier nanoTime) {
    this.calls = calls;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.retries = new Retries(metrics, nanoTime);
    this.callTimes = metrics.latency(Metric.GMS_CALLS);
  }

  /** Log index of the last change of the catalog, once the command is applied. */
  long submit(CatalogCommand command) {
    // A renewal may be applied twice; remembering renewals would drive other answers out of the
    // leader's memory.
    String request =
        command instanceof CatalogCommand.RenewComputeNode
            ? ""
            : name + ":" + requests.incrementAndGet();
    LogEntry entry = new LogEntry(request, new LogCommand.Change(command));
    return accepted(() -> calls.write(entry)).as(Answer.Changed.class).change();
  }

  SequenceRange reserve(String sequence, long count) {
    // Numbers that a lost answer gave away are never used; that is allowed.
    LogEntry entry = new LogEntry("", new LogCommand.ReserveNumbers(sequence, count));
    Answer.Numbers numbers = accepted(() -> calls.write(entry)).as(Answer.Numbers.class);
    return new SequenceRange(numbers.first(), numbers.last());
  }

  Map<String, Long> lastNumbers(Collection<String> sequences) {
    return ask(new Question.HowFar(List.copyOf(sequences))).as(Answer.LastNumbers.class).last();
  }

  /**
   * Timestamps above all that were given before this was called, by whichever leader.
   *
   * @param count 1 or more
   */
  HlcTimestamp timestamps(int count) {
    long deadline = nanoTime.getAsLong() + patience.toNanos();
    while (true) {
      Answer.Timestamps given = ask(new Question.NextTimestamps(count)).as(Answer.Timestamps.class);
      if (given.count() > 0) {
        if (given.leftMillis() < TIMESTAMPS_AHEAD_MILLIS / 2) {
          reserveSoon();
        }
        return new HlcTimestamp(given.first());
      }
      if (nanoTime.getAsLong() - deadline > 0) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "the leader of the GMS has no timestamps for another "
                + given.leftMillis()
                + " ms: its clock is behind that of the leader before it");
      }
      if (given.leftMillis() > 0) {
        Pause.ofMillis(PAUSE_MILLIS);
      } else {
        reserveTimestamps();
      }
    }
  }

  private void reserveSoon() {
    if (reserving.compareAndSet(false, true)) {
      Thread.startVirtualThread(() -> {
        try {
          reserveTimestamps();
        } catch (AlraiException e) {
          log.info("no timestamps were reserved: {}", e.sentence());
        } finally {
          reserving.set(false);
        }
      });
    }
  }

  /** Has the leader reserve timestamps; those of a lost answer are not used. */
  private void reserveTimestamps() {
    accepted(() ->
        calls.write(
            new LogEntry("", new LogCommand.ReserveTimestamps(0, TIMESTAMPS_AHEAD_MILLIS))));
  }

  void raise(String sequence, long value) {
    LogEntry entry = new LogEntry("", new LogCommand.RaiseNumbers(sequence, value));
    accepted(() -> calls.write(entry));
  }

  /**
   * Returns when no living CN works with an older version.
   *
   * @param known of which CN this need not be asked
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when one renews its lease, but with an older
   *     version, for as long as one request may take
   */
  void awaitEverywhere(long version, Predicate<NodeId> known) {
    long deadline = nanoTime.getAsLong() + patience.toNanos();
    while (true) {
      Answer.Behind behind = ask(new Question.WhoIsBehind(version)).as(Answer.Behind.class);
      if (behind.nodes().stream().allMatch(known)) {
        return;
      }
      if (nanoTime.getAsLong() - deadline >= 0) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            behind.nodes().stream()
                    .filter(known.negate())
                    .map(NodeId::name)
                    .collect(Collectors.joining(", "))
                + " did not take over version "
                + version
                + " of the catalog within "
                + patience.toMillis()
                + " ms, but still renews its lease: look at its log, or stop it");
      }
      // Somebody's renewal is the next change; a lease that runs out is no change.
      ask(new Question.Watch(behind.change(), PAUSE_MILLIS));
    }
  }

  /** The leader's answer. */
  Answer ask(Question question) {
    return accepted(() -> calls.ask(question), question instanceof Question.Watch);
  }

  private Answer accepted(Attempt attempt) {
    return accepted(attempt, false);
  }

  /**
   * Asks until somebody answers.
   *
   * @param waits whether it is asked for something to come, so that its time tells nothing
   */
  private Answer accepted(Attempt attempt, boolean waits) {
    long begin = nanoTime.getAsLong();
    long deadline = begin + patience.toNanos();
    for (boolean first = true; ; first = false) {
      try {
        Answer answer = attempt.run();
        long took = nanoTime.getAsLong() - begin;
        retries.answered(first ? 0 : took);
        if (!waits) {
          callTimes.record(took);
        }
        if (answer instanceof Answer.Refused refused) {
          throw refused.exception();
        }
        return answer;
      } catch (IOException e) {
        if (nanoTime.getAsLong() - deadline >= 0) {
          throw new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "no leader of the GMS has answered for "
                  + patience.toMillis()
                  + " ms: "
                  + e.getMessage(),
              e);
        }
        retries.again(e);
        Pause.ofMillis(PAUSE_MILLIS);
      }
    }
  }

  private interface Attempt {
    Answer run() throws IOException;
  }
}
