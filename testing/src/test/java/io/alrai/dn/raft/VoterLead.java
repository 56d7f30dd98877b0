package io.alrai.dn.raft;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.jspecify.annotations.Nullable;

/** What a leader of a model's group knows of the others, and a change of these that is at work. */
final class VoterLead {
  private static final int NEAR = 6;
  private static final int BATCH = 12;
  private static final long HAND_OVER = 40_000;
  private static final long JOINER_SILENCE = 150_000;

  private final Voter voter;
  final long firstOfTerm;
  final Map<Integer, Long> next = new HashMap<>();
  final Map<Integer, Long> match = new HashMap<>();
  final Map<Integer, Long> answered = new HashMap<>();

  /** Who is sent the log before it votes; -1 for nobody. */
  int staged = -1;

  /** Who shall lead instead; -1 for nobody. */
  private int handsTo = -1;

  private long handsUntil;
  final long since;
  private @Nullable CompletableFuture<RaftClientReply> changing;
  private Set<Integer> wanted = Set.of();

  VoterLead(Voter voter, long firstOfTerm, long now) {
    this.voter = voter;
    this.firstOfTerm = firstOfTerm;
    // as if they had been silent for as long as it takes to be elected
    voter.log().ballot().all().forEach(id -> answered.put(id, now - Voter.PATIENCE_MAX));
    this.since = now;
  }

  long match(int id) {
    return match.getOrDefault(id, -1L);
  }

  long next(int id) {
    return next.getOrDefault(id, voter.log().last() + 1);
  }

  /** Those that are sent entries. */
  Set<Integer> sentTo() {
    Set<Integer> all = new TreeSet<>(voter.log().ballot().all());
    if (staged >= 0) {
      all.add(staged);
    }
    all.remove(voter.id());
    return all;
  }

  CompletableFuture<RaftClientReply> change(Set<Integer> to) {
    CompletableFuture<RaftClientReply> done = new CompletableFuture<>();
    VoterLog log = voter.log();
    boolean said = log.ballotIndex() <= voter.committed();
    if (changing != null || !said || !log.ballot().before().isEmpty()) {
      done.completeExceptionally(new IllegalStateException("a change is at work"));
      return done;
    }
    changing = done;
    wanted = to;
    List<Integer> joins =
        to.stream().filter(id -> !voter.log().ballot().now().contains(id)).toList();
    if (joins.isEmpty()) {
      begin();
    } else {
      staged = joins.getFirst();
      next.put(staged, 0L);
      answered.put(staged, voter.run().world.now());
    }
    return done;
  }

  private void begin() {
    staged = -1;
    Set<Integer> present = voter.log().ballot().now();
    voter.add(VoterEntry.of(voter.term(), new Ballot(wanted, present)));
  }

  /** Looks whether a joiner is near, or is gone. */
  void look() {
    if (staged < 0) {
      return;
    }
    if (match(staged) >= voter.log().last() - NEAR) {
      begin();
    } else if (voter.run().world.now() - answered.get(staged) > JOINER_SILENCE) {
      staged = -1;
      fail(new ReconfigurationTimeoutException("it does not answer"));
    }
  }

  /** A configuration of this leader, or of one before it, is committed. */
  void committed(Ballot ballot) {
    if (!ballot.before().isEmpty()) {
      voter.add(VoterEntry.of(voter.term(), new Ballot(ballot.now(), Set.of())));
    } else if (changing != null && ballot.now().equals(wanted)) {
      CompletableFuture<RaftClientReply> done = changing;
      changing = null;
      done.complete(
          RaftClientReply.newBuilder()
              .setClientId(ClientId.emptyClientId())
              .setServerId(RaftPeerId.valueOf(voter.name()))
              .setGroupId(RaftGroupId.emptyGroupId())
              .setSuccess()
              .build());
    }
  }

  void end() {
    fail(
        new NotLeaderException(
            RaftGroupMemberId.valueOf(RaftPeerId.valueOf(voter.name()), RaftGroupId.emptyGroupId()),
            null,
            List.of()));
  }

  private void fail(Exception reason) {
    CompletableFuture<RaftClientReply> last = changing;
    changing = null;
    if (last != null) {
      last.completeExceptionally(reason);
    }
  }

  // Handing over.

  boolean hands() {
    return handsTo >= 0;
  }

  void handOver(int to) {
    if (!hands()) {
      handsTo = to;
      handsUntil = voter.run().world.now() + HAND_OVER;
    }
  }

  void hand(long now) {
    if (hands() && match(handsTo) == voter.log().last()) {
      long of = voter.term();
      Voter next = voter.run().voter(handsTo);
      voter.run().send(voter.id(), handsTo, () -> next.standNow(of));
      handsTo = -1;
    } else if (now > handsUntil) {
      handsTo = -1;
    }
  }

  // Entries.

  void send(int to) {
    if (voter.lead() != this) {
      return;
    }
    MembersRun run = voter.run();
    VoterLog log = voter.log();
    Voter other = run.voter(to);
    long of = voter.term();
    long from = next(to);
    if (from < log.first()) {
      long first = log.first();
      long firstTerm = log.term(first);
      long at = log.ballotIndex();
      Ballot ballot = log.ballot();
      if (log.has(first)) {
        run.send(voter.id(), to, () -> other.mayBegin(voter, of, first, firstTerm, at, ballot));
      }
      return;
    }
    List<VoterEntry> entries = log.from(from, BATCH);
    next.put(to, from + entries.size());
    long before = log.term(from - 1);
    long known = voter.committed();
    Map<Integer, Long> all = new HashMap<>(voter.commits());
    all.put(voter.id(), known);
    run.send(voter.id(), to, () -> other.take(voter, of, from - 1, before, entries, known, all));
  }

  void answered(int from, boolean fits, long has) {
    answered.put(from, voter.run().world.now());
    if (!fits) {
      if (!match.containsKey(from)) {
        next.put(from, Math.max(0, Math.min(next(from) - 1, has + 1)));
        send(from);
      }
      return;
    }
    if (has > match(from)) {
      match.put(from, has);
      next.put(from, Math.max(next(from), has + 1));
      count();
    }
    if (next(from) <= voter.log().last()) {
      send(from);
    }
  }

  /** What a majority has synced is committed, if it is of this term. */
  void count() {
    VoterLog log = voter.log();
    if (voter.lead() != this) {
      return;
    }
    for (long n = log.last(); n > voter.committed() && log.term(n) == voter.term(); n--) {
      long at = n;
      if (log.ballot().agree(id -> (id == voter.id() ? log.synced() : match(id)) >= at)) {
        voter.commit(n);
        return;
      }
    }
  }
}
