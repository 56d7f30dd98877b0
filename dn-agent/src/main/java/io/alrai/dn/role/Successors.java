package io.alrai.dn.role;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may lead instead of a member that cannot. Any thread. */
final class Successors {
  private static final Logger log = LoggerFactory.getLogger(Successors.class);
  private static final Duration HANDOVER_BOUND = Duration.ofSeconds(3);

  /** Before another one is asked, and between two attempts. */
  static final long IMPATIENT_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final String name;
  private final Supplier<List<String>> others;
  private final HandOver handOver;
  private volatile Supplier<Optional<String>> best = Optional::empty;
  private volatile Supplier<Optional<String>> ready = Optional::empty;

  /** Has another member elected. */
  interface HandOver {
    /** Completes when that one is. */
    CompletableFuture<Void> to(String other);
  }

  /**
   * Nobody is preferred yet.
   *
   * @param others members with rows, without this one
   */
  Successors(String name, Supplier<List<String>> others, HandOver handOver) {
    this.name = name;
    this.others = others;
    this.handOver = handOver;
  }

  /** Asks for the best of them from now on; empty where that is not known. */
  void prefer(Supplier<Optional<String>> known) {
    best = known;
  }

  /** Asks who could lead at once from now on; empty where that is not known. */
  void mayAsk(Supplier<Optional<String>> inStep) {
    ready = inStep;
  }

  /** The other members with rows, the best one first. */
  List<String> all() {
    List<String> all = new ArrayList<>(others.get());
    best.get().filter(all::remove).ifPresent(all::addFirst);
    return all;
  }

  /** Hands the lead over at once, and does not wait. */
  void takeOver() {
    all().stream().findFirst().ifPresent(handOver::to);
  }

  /**
   * This member cannot lead now. Those that are asked may be no better: they come back here then.
   */
  void letAnotherLead(String why) {
    for (String other : all()) {
      try {
        log.info("{}: {}, {} shall lead", name, why, other);
        handOver.to(other).get(HANDOVER_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException | TimeoutException e) {
        log.warn("{}: {} does not take the lead: {}", name, other, e.toString());
      }
    }
  }

  /**
   * A member that is elected may not serve yet, as its mysqld has much to apply: a long statement,
   * say, which the last leader has done. When it has waited long it asks one that could serve at
   * once to lead, now and then, and goes on meanwhile. One thread.
   *
   * @return takes for how many nanoseconds it has waited
   */
  LongConsumer impatience() {
    AtomicLong next = new AtomicLong(IMPATIENT_NANOS);
    return waited -> {
      if (waited >= next.get()) {
        next.set(waited + IMPATIENT_NANOS);
        ready.get().ifPresent(this::askToLead);
      }
    };
  }

  private void askToLead(String other) {
    log.warn("{}: its mysqld has not applied all yet, {} has and shall lead", name, other);
    handOver
        .to(other)
        .whenComplete((elected, error) -> {
          if (error != null) {
            log.warn("{}: {} does not take the lead: {}", name, other, error.toString());
          }
        });
  }
}
