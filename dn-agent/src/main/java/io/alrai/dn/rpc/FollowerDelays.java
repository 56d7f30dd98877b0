package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * How much the members of a DN that follow lag, its learners too, as they say themselves; those
 * that do not follow serve nobody, and do not count. They are asked while somebody wants to know
 * it, once in a second at most, and nobody waits for them. Thread-safe.
 */
final class FollowerDelays {
  private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What was heard longer ago says nothing. */
  private static final long HEARD_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final DnMembers members;
  private final LongSupplier nanos;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Known known = new Known(OptionalLong.empty(), 0);
  private volatile long askedNanos;

  private record Known(OptionalLong millis, long heardNanos) {}

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
    Known last = known;
    return nanos.getAsLong() - last.heardNanos() < HEARD_NANOS
        ? last.millis()
        : OptionalLong.empty();
  }

  private void ask() {
    List<CompletableFuture<MemberStatus>> asked =
        Stream.concat(members.names().stream(), members.learners().stream())
            .map(this::ask)
            .toList();
    CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .whenComplete((_, error) -> {
          known =
              new Known(
                  asked.size() < 2 ? OptionalLong.empty() : OptionalLong.of(longest(asked)),
                  nanos.getAsLong());
          asking.set(false);
        });
  }

  /** The member may have been dropped after it was named. */
  private CompletableFuture<MemberStatus> ask(String member) {
    try {
      return members.ask(member);
    } catch (AlraiException gone) {
      return CompletableFuture.failedFuture(gone);
    }
  }

  /** The longest of those that follow; without end where none does. */
  private static long longest(List<CompletableFuture<MemberStatus>> asked) {
    return asked.stream()
        .filter(answer -> !answer.isCompletedExceptionally())
        .map(CompletableFuture::join)
        .filter(FollowerDelays::follows)
        .mapToLong(MemberStatus::lagMillis)
        .max()
        .orElse(Long.MAX_VALUE);
  }

  private static boolean follows(MemberStatus status) {
    return status.state().equals(MemberStatus.FOLLOWING) && status.error().isEmpty();
  }
}
