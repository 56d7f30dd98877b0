package io.alrai.dn.link;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Latency;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A CN's way to one DN. Thread-safe. */
public interface DnLink extends AutoCloseable {
  /** The DN that it leads to. */
  DnId dn();

  /**
   * Takes a branch from the loop's pool, or opens one. Must be called on the loop; the taker may be
   * called before this returns.
   *
   * @param account which of the agent's accounts
   * @param schema a branch with this current schema is preferred; may be empty
   * @param settings a branch that had them last is preferred, by identity; null for any
   */
  void take(
      EventLoop loop,
      BackendAccount account,
      String schema,
      @Nullable Object settings,
      BranchTaker taker);

  /** Takes a branch whatever settings it has. */
  default void take(EventLoop loop, BackendAccount account, String schema, BranchTaker taker) {
    take(loop, account, schema, null, taker);
  }

  /** Whether its leader has answered when it was asked last: it is asked all the time. */
  default boolean answers() {
    return true;
  }

  /**
   * Whether its leader's mysqld answers, too, as its agent has said last; where nobody says so, as
   * {@link #answers}.
   */
  default boolean mysqldAnswers() {
    return answers();
  }

  /** Opens read views at snapshots. */
  ViewOpener views();

  /**
   * The way to members that follow, whose branches are for views only; empty where there are none,
   * as far as is known. Its {@link ViewOpener} takes ZERO for whatever a member has.
   */
  default Optional<DnLink> replicas() {
    return Optional.empty();
  }

  /**
   * How much the members that follow lag at most, in milliseconds, as they have said within the
   * last seconds; {@link Long#MAX_VALUE} where none of them follows at the moment, and empty where
   * there are none, or nothing was heard of them lately: then they are asked. Never waits.
   */
  default OptionalLong delayMillis() {
    return OptionalLong.empty();
  }

  /** Replies to reads that the agent keeps. */
  default KeptReplies rows() {
    return KeptReplies.NONE;
  }

  /** The agent's part in distributed commits. */
  CommitParticipant participant();

  /** The members that have the DN's rows. */
  default DnMembers members() {
    return DnMembers.alone(dn().name());
  }

  /**
   * Schemas were created or dropped: what idle branches remember of their current schema is no
   * longer true.
   */
  void forgetSchemas();

  /** Connections to the mysqld now, busy and idle. */
  int openBranches();

  /** How many were closed instead of serving another session, for that reason. */
  LongAdder unfit(Unfit reason);

  /** How many were closed because a reply was due that would never come. */
  LongAdder lostReplies();

  /** How long requests that found no idle connection have waited for one, taken or not. */
  Latency waits();

  @Override
  void close();
}
