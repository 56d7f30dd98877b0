package io.alrai.cn.deadlock;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the DNs are asked who waits for whom, and whether what they say is a deadlock. A
 * cycle is one when all its waits are there in two looks: after the end of the first look and
 * before the beginning of the second they were all there at once, on whatever DNs. One thread.
 */
final class Deadlocks {
  private static final Logger log = LoggerFactory.getLogger(Deadlocks.class);

  /** Between two looks at the same waiting transactions. */
  static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /** Until a cycle is looked at again; InnoDB renews information_schema.innodb_trx after 100 ms. */
  static final long CONFIRM_NANOS = TimeUnit.MILLISECONDS.toNanos(120);

  /** After a look, so many times what it took passes before the next. */
  private static final int REST = 9;

  /** But no longer: a look that took long may have waited for a processor. */
  static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

  private final OwnTransactions own;
  private final WaitSource source;
  private final LongSupplier nanos;
  private final LongConsumer pause;
  private Set<TransactionId> known = Set.of();
  private long nextForMore;
  private long nextForTheSame;

  /**
   * Decisions over what the DNs say.
   *
   * @param nanos like {@link System#nanoTime}
   * @param pause waits so many nanoseconds
   */
  Deadlocks(OwnTransactions own, WaitSource source, LongSupplier nanos, LongConsumer pause) {
    this.own = own;
    this.source = source;
    this.nanos = nanos;
    this.pause = pause;
    this.nextForMore = nanos.getAsLong();
    this.nextForTheSame = nextForMore;
  }

  /** To be called about every 100 ms. */
  void check() {
    if (own.none()) {
      return;
    }
    Set<TransactionId> stuck = own.stuck();
    boolean more = !known.containsAll(stuck);
    known = stuck;
    long begin = nanos.getAsLong();
    if (stuck.isEmpty() || begin - (more ? nextForMore : nextForTheSame) < 0) {
      return;
    }
    List<LockWait> waits = source.waits();
    List<TransactionId> suspects = victims(waits);
    long end = nanos.getAsLong();
    nextForMore = end + Math.min(REST * (end - begin), LONGEST_REST_NANOS);
    nextForTheSame = Math.max(nextForMore, end + AGAIN_NANOS);
    if (!suspects.isEmpty()) {
      pause.accept(CONFIRM_NANOS);
      List<TransactionId> victims = confirmed(waits, suspects);
      if (!victims.isEmpty()) {
        log.info("deadlock: {} among {} of {}", victims, waits, source.parties());
        victims.forEach(own::end);
      }
    }
  }

  private List<TransactionId> victims(Collection<LockWait> waits) {
    return onOneDn(waits) ? List.of() : new WaitGraph(waits, source.parties()).victims();
  }

  private List<TransactionId> confirmed(List<LockWait> waits, List<TransactionId> suspects) {
    Set<LockWait> still = new HashSet<>(source.waits());
    still.retainAll(new HashSet<>(waits));
    List<TransactionId> victims = new ArrayList<>(victims(still));
    victims.retainAll(suspects);
    return victims;
  }

  /** Then its mysqld finds a deadlock by itself. */
  private static boolean onOneDn(Collection<LockWait> waits) {
    Set<DnId> dns = new HashSet<>();
    waits.forEach(wait -> dns.add(wait.dn()));
    return dns.size() < 2;
  }
}
