package io.alrai.dn.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the leader of a DN. Only the control connection asks the members who leads; the others
 * wait for what it finds, so that a failover is no storm of connections. Whatever is heard of a
 * higher term ends the connections of lower ones at once. A DN of one replica is not sought: its
 * agent is where the catalog says. Thread-safe.
 *
 * <pre>
 *  SEEKING (asks one member after the other, pauses between rounds) -welcome-> FOUND
 *     ^------------ its connection ends, or a higher term is heard of -----------'
 * </pre>
 */
final class LeaderSeeker {
  private static final Logger log = LoggerFactory.getLogger(LeaderSeeker.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 200;

  /** Is called once, on its loop, by one of the two. */
  interface Follower {
    void found(InetSocketAddress leader);

    void notFound(AlraiException reason);
  }

  private record Waiting(Follower follower, EventLoop loop) {}

  private final DnId dn;
  private final Supplier<KnownMembers> known;
  private final Duration failoverWait;
  private final Duration restartWait;

  @GuardedBy("this")
  private final Set<AgentChannel> open = new HashSet<>();

  @GuardedBy("this")
  private final Map<Waiting, ScheduledFuture<?>> waiting = new LinkedHashMap<>();

  /** What members have answered since the leader was lost, by their places. */
  @GuardedBy("this")
  private final Map<InetSocketAddress, String> answers = new LinkedHashMap<>();

  /** Those that were asked in this round. */
  @GuardedBy("this")
  private final Set<InetSocketAddress> asked = new HashSet<>();

  /** The control connection to the leader. */
  @GuardedBy("this")
  private @Nullable AgentChannel leader;

  /** Who is said to lead. */
  @GuardedBy("this")
  private @Nullable InetSocketAddress hinted;

  @GuardedBy("this")
  private long term;

  @GuardedBy("this")
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /**
   * Knows nobody yet.
   *
   * @param known asked whenever somebody is sought
   * @param failoverWait how long who needs the leader waits for one of several
   * @param restartWait the same where only one votes, and has to begin anew
   */
  LeaderSeeker(DnId dn, Supplier<KnownMembers> known, Duration failoverWait, Duration restartWait) {
    this.dn = dn;
    this.known = known;
    this.failoverWait = failoverWait;
    this.restartWait = restartWait;
  }

  /** Whether there is only one agent that can lead. */
  boolean alone() {
    return known.get().alone();
  }

  /** Which generations the node knows. */
  KnownGenerations generations() {
    return known.get().generations();
  }

  /** How long who needs the leader waits for one. */
  Duration failoverWait() {
    return known.get().isGroupOfOne() ? restartWait : failoverWait;
  }

  // ---- the control connection seeks ----

  /** Whom to ask: another one than who leads now. */
  InetSocketAddress next() {
    List<InetSocketAddress> candidates = candidates();
    synchronized (this) {
      InetSocketAddress said = hinted;
      hinted = null;
      if (said != null) {
        asked.add(said);
        return said;
      }
      if (candidates.size() > 1 && leader != null) {
        candidates.remove(leader.place());
      }
      for (InetSocketAddress candidate : candidates) {
        if (asked.add(candidate)) {
          return candidate;
        }
      }
      asked.clear();
      asked.add(candidates.getFirst());
      return candidates.getFirst();
    }
  }

  private List<InetSocketAddress> candidates() {
    KnownMembers members = known.get();
    List<InetSocketAddress> all = new ArrayList<>();
    if (members.members().size() < 2) {
      all.add(members.leader());
      return all;
    }
    members.members().forEach(member -> all.add(member.address()));
    if (all.remove(members.leader())) {
      all.addFirst(members.leader());
    }
    return all;
  }

  /** How long to wait before the next one is asked: not at all within a round. */
  long pauseMillis() {
    List<InetSocketAddress> candidates = candidates();
    synchronized (this) {
      if (hinted != null || !asked.containsAll(candidates)) {
        return 0;
      }
      long pause = pauseMillis;
      pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      return pause;
    }
  }

  /** Those that are not known to lead, learners too. */
  List<InetSocketAddress> followers() {
    List<InetSocketAddress> all = candidates();
    all.remove(leading());
    known.get().learners().forEach(learner -> all.add(learner.address()));
    return all;
  }

  /** The members of a group that are not known to lead. */
  List<KnownMembers.Member> following() {
    InetSocketAddress leading = leading();
    return known.get().members().stream()
        .filter(member -> !alone() && !member.address().equals(leading))
        .toList();
  }

  /** Whether the node knows a member of that name. */
  boolean knows(String name) {
    return known.get().members().stream().anyMatch(member -> member.name().equals(name));
  }

  private InetSocketAddress leading() {
    synchronized (this) {
      AgentChannel found = leader;
      return found == null ? known.get().leader() : found.place();
    }
  }

  /** A member could not be asked, or does not lead. */
  synchronized void missed(InetSocketAddress place, AlraiException reason) {
    answers.put(place, reason.sentence());
  }

  /** A member has named the leader. */
  void hinted(LeaderHint hint) {
    if (hint.name().isEmpty()) {
      return;
    }
    for (KnownMembers.Member member : known.get().members()) {
      if (member.name().equals(hint.name())) {
        hear(hint.term(), member.address());
      }
    }
  }

  /** Looks at what the node knows without asking. */
  void look() {
    KnownMembers members = known.get();
    if (!members.alone()) {
      hear(members.term(), members.leader());
    }
  }

  private void hear(long of, InetSocketAddress place) {
    List<AgentChannel> outdated = List.of();
    synchronized (this) {
      if (of < term || leader != null && of == term) {
        return;
      }
      if (of > term) {
        outdated = begin(of, place);
      }
      if (asked.add(place)) {
        hinted = place;
      }
    }
    outdated.forEach(AgentChannel::close);
  }

  /** A term begins: gives the connections of earlier ones, and to others. */
  @GuardedBy("this")
  private List<AgentChannel> begin(long of, InetSocketAddress place) {
    log.debug("{}: term {} after {}", dn, of, term);
    term = of;
    leader = null;
    asked.clear();
    List<AgentChannel> outdated =
        open.stream()
            .filter(each -> each.term() < of)
            .filter(each -> each.term() != AgentChannel.UNKNOWN || !each.place().equals(place))
            .toList();
    outdated.forEach(open::remove);
    return outdated;
  }

  // ---- connections ----

  /**
   * A member says that it leads.
   *
   * @return whether it does, as far as anybody has said
   */
  boolean welcomed(AgentChannel channel, boolean control) {
    List<AgentChannel> outdated = List.of();
    Map<Waiting, ScheduledFuture<?>> followers = Map.of();
    synchronized (this) {
      if (channel.term() < term) {
        return false;
      }
      if (channel.term() > term) {
        outdated = begin(channel.term(), channel.place());
        hinted = channel.place();
      }
      if (control) {
        leader = channel;
        hinted = null;
        asked.clear();
        answers.clear();
        pauseMillis = FIRST_PAUSE_MILLIS;
        followers = new LinkedHashMap<>(waiting);
        waiting.clear();
      }
    }
    outdated.forEach(AgentChannel::close);
    followers.forEach((each, bound) -> {
      bound.cancel(false);
      each.loop().execute(() -> each.follower().found(channel.place()));
    });
    return true;
  }

  /** A connection begins, of which no term is known yet. */
  synchronized void begins(AgentChannel channel) {
    open.add(channel);
  }

  /** A connection has ended. */
  synchronized void ended(AgentChannel channel) {
    open.remove(channel);
    if (leader == channel) {
      leader = null;
      asked.clear();
      asked.add(channel.place()); // the others are asked before it
    }
  }

  // ---- the others follow ----

  /**
   * Tells where the leader is as soon as that is known; at once where it is.
   *
   * @param waitNanos how long that may take
   */
  void follow(EventLoop loop, long waitNanos, Follower follower) {
    if (alone()) {
      follower.found(known.get().leader());
      return;
    }
    InetSocketAddress place;
    synchronized (this) {
      AgentChannel found = leader;
      if (found == null) {
        Waiting one = new Waiting(follower, loop);
        waiting.put(
            one, loop.schedule(() -> giveUp(one), Math.max(0, waitNanos), TimeUnit.NANOSECONDS));
        return;
      }
      place = found.place();
    }
    follower.found(place);
  }

  private void giveUp(Waiting one) {
    synchronized (this) {
      if (waiting.remove(one) == null) {
        return;
      }
    }
    one.follower().notFound(nobody());
  }

  /** The error of one that nobody can serve, with the answers of all members. */
  AlraiException nobody() {
    KnownMembers members = known.get();
    StringJoiner said = new StringJoiner("; ");
    synchronized (this) {
      for (KnownMembers.Member member : members.members()) {
        said.add(
            member.name() + ": " + answers.getOrDefault(member.address(), "has not answered yet"));
      }
    }
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "no member of " + dn + " is known to lead it: " + said);
  }
}
