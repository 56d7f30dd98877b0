package io.alrai.dn.rpc;

import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How much the members of a DN that follow lag, as they say themselves. They are asked while
 * somebody wants to know it, once in a second at most, and nobody waits for them. Thread-safe.
 */
final class FollowerDelays {
  private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long UNKNOWN = -1;

  private final DnMembers members;
  private final LongSupplier nanos;
  private final AtomicBoolean asking = new AtomicBoolean();
  private final AtomicLong millis = new AtomicLong(UNKNOWN);
  private volatile long askedNanos;

  /**
   * Delays of a DN's members.
   *
   * @param nanos monotonic time
   */
  FollowerDelays(DnMembers members, LongSupplier nanos) {
    this.members = members;
    this.nanos = nanos;
    this.askedNanos = nanos.getAsLong() - LASTS_NANOS;
  }

  /** The longest delay, as {@link io.alrai.dn.link.DnLink#delayMillis}. */
  OptionalLong millis() {
    if (nanos.getAsLong() - askedNanos >= LASTS_NANOS && asking.compareAndSet(false, true)) {
      askedNanos = nanos.getAsLong();
      ask();
    }
    long known = millis.get();
    return known == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(known);
  }

  private void ask() {
    List<CompletableFuture<MemberStatus>> asked =
        members.names().stream().map(members::ask).toList();
    CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .whenComplete((_, error) -> {
          millis.set(asked.size() < 2 ? UNKNOWN : longest(asked));
          asking.set(false);
        });
  }

  private static long longest(List<CompletableFuture<MemberStatus>> asked) {
    return asked.stream()
        .mapToLong(answer -> answer.isCompletedExceptionally() ? Long.MAX_VALUE : of(answer.join()))
        .max()
        .orElse(UNKNOWN);
  }

  private static long of(MemberStatus status) {
    if (status.leads()) {
      return 0;
    }
    boolean follows = status.state().equals(MemberStatus.FOLLOWING) && status.error().isEmpty();
    return follows ? status.lagMillis() : Long.MAX_VALUE;
  }
}
