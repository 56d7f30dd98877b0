package io.alrai.dn.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent leads its DN, which changes at any time, and the sessions that belong to that.
 * Thread-safe.
 */
final class Leadership {
  /** One time of leading. */
  static final class Term {
    private final Leading leading;

    /** Closes at once what comes after its own end. */
    private final ChannelGroup sessions =
        new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private volatile boolean leaves;

    /** Those to which the mysqld had answered everything in time. */
    private volatile List<AgentSession> drained = List.of();

    /** Whether these are all. */
    private volatile boolean answered;

    private Term(Leading leading) {
      this.leading = leading;
    }

    /** A session begins in it, and ends with it. */
    Leading serve(Channel session) {
      sessions.add(session);
      if (leaves) {
        session.close(); // nothing was asked there yet
      }
      return leading;
    }

    private CompletableFuture<Boolean> leave(Duration bound) {
      leaves = true;
      Map<AgentSession, CompletableFuture<Void>> asked = new HashMap<>();
      handlers().forEach(session -> asked.put(session, session.leave()));
      return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
          .thenApply(all -> true)
          .completeOnTimeout(false, bound.toMillis(), TimeUnit.MILLISECONDS)
          .thenApply(all -> {
            answered = all;
            drained =
                asked.entrySet().stream()
                    .filter(one -> one.getValue().isDone())
                    .map(Map.Entry::getKey)
                    .toList();
            return all;
          });
    }

    private CompletableFuture<Boolean> left() {
      return CompletableFuture.allOf(
              drained.stream().map(AgentSession::left).toArray(CompletableFuture[]::new))
          .thenApply(all -> answered);
    }

    private Stream<AgentSession> handlers() {
      return sessions.stream()
          .map(session -> session.pipeline().get(AgentSession.class))
          .filter(Objects::nonNull);
    }
  }

  private volatile @Nullable Term present;

  /** One that begins nothing more. */
  @GuardedBy("this")
  private @Nullable Term leaving;

  private volatile @Nullable GroupMembership member;
  private volatile LeaderHint hint = LeaderHint.NOBODY;
  private volatile LongSupplier gms = () -> 0;

  /** The present one; null while this agent does not lead. */
  @Nullable Term present() {
    return present;
  }

  /** Who leads instead: what was said last, else what the member knows now. */
  LeaderHint hint() {
    LeaderHint said = hint;
    GroupMembership self = member;
    return said.name().isEmpty() && self != null ? self.leader() : said;
  }

  /** What the agent is in its group; null while that is not known. */
  @Nullable GroupMembership member() {
    return member;
  }

  void member(GroupMembership of) {
    member = of;
  }

  /** The latest generation of the GMS that the agent has heard of. */
  long gmsGeneration() {
    return gms.getAsLong();
  }

  void follows(LongSupplier generation) {
    gms = generation;
  }

  /** The agent leads from now on. */
  synchronized void lead(Leading leading) {
    end();
    hint = LeaderHint.NOBODY;
    present = new Term(leading);
  }

  /** The agent leads no more, if it has led. */
  synchronized void follow(LeaderHint other) {
    hint = other;
    end();
  }

  /**
   * The agent is about to give its lead away: sessions end as soon as the mysqld has answered what
   * they have sent, and none begins.
   *
   * @return completes when the mysqld has answered all
   */
  synchronized CompletableFuture<Boolean> leave(Duration bound) {
    Term before = present;
    present = null;
    leaving = before;
    return before == null ? CompletableFuture.completedFuture(true) : before.leave(bound);
  }

  /**
   * What the mysqld was sent by sessions that leave, and has closed, it has answered.
   *
   * @return completes when all of them have heard it; whether no others are at work
   */
  synchronized CompletableFuture<Boolean> left() {
    Term before = leaving;
    return before == null ? CompletableFuture.completedFuture(true) : before.left();
  }

  @GuardedBy("this")
  private void end() {
    end(present);
    present = null;
    end(leaving);
    leaving = null;
  }

  private static void end(@Nullable Term term) {
    if (term != null) {
      term.sessions.close();
    }
  }
}
