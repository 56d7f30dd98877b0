package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import io.alrai.dn.link.MemberStatus.Voter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A group of three that does what it is asked for after some more questions. Thread-safe. */
final class FakeMembers implements DnMembers {
  private static final long SLICE_MILLIS = 5;

  /** What it was asked for, in that order. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  final Set<String> voters = new ConcurrentSkipListSet<>(Set.of("dn-1-a", "dn-1-b", "logger-1"));

  /** How often a change is asked for until it is done; never where it is negative. */
  volatile int slices = 2;

  /** Who leads, in a term of its own; empty for nobody. */
  volatile String leader = "dn-1-a";

  /** Why the leader changes nothing. */
  volatile String refusal = "";

  /** Why the leader drops nobody. */
  volatile String keepsAll = "";

  /** What changes fail with after they are done; empty where they are answered. */
  volatile Optional<Exception> loss = Optional.empty();

  /** How many answers are lost. */
  int mostLosses = Integer.MAX_VALUE;

  /** Whose machine is lost; empty for nobody's. */
  volatile String lost = "";

  /** What the learners say of themselves, by their names. */
  final Map<String, MemberStatus> learners = new ConcurrentHashMap<>();

  volatile Cloning cloning = Cloning.NONE;
  volatile String state = "FOLLOWING";
  private int times;

  @Override
  public List<String> names() {
    Set<String> names = new TreeSet<>(voters);
    names.removeIf(name -> name.startsWith("logger"));
    return new ArrayList<>(names);
  }

  @Override
  public List<String> learners() {
    return List.copyOf(learners.keySet());
  }

  /** A learner says so of itself from now on. */
  void learns(String name, String state, long unapplied, String error) {
    learners.put(
        name,
        new MemberStatus(
            name, state, false, 0, 7, unapplied, 0, error, "", List.of(), Cloning.NONE));
  }

  @Override
  public String address(String member) {
    return "h:" + member;
  }

  @Override
  public CompletableFuture<MemberStatus> ask(String member) {
    if (member.equals(lost)) {
      return isLost(member);
    }
    MemberStatus learner = learners.get(member);
    if (learner != null) {
      return CompletableFuture.completedFuture(learner);
    }
    boolean leads = member.equals(leader);
    List<Voter> others =
        voters.stream()
            .filter(voter -> leads && !voter.equals(member))
            .map(voter -> new Voter(voter, !voter.startsWith("logger"), 0))
            .toList();
    return CompletableFuture.completedFuture(
        new MemberStatus(
            member,
            leads ? "LEADING" : state,
            leads,
            leads ? member.charAt(member.length() - 1) : 0,
            7,
            0,
            0,
            "",
            "h:" + member + "-log",
            others,
            leads ? Cloning.NONE : cloning));
  }

  private static <T> CompletableFuture<T> isLost(String member) {
    return CompletableFuture.failedFuture(
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, "the agent of " + member + " cannot be reached"));
  }

  private synchronized CompletableFuture<Boolean> change(
      String what, String from, String refused, Runnable done) {
    asked.add(what + " by " + from);
    String no = from.equals(leader) ? refused : from + " does not lead";
    if (!no.isEmpty()) {
      return CompletableFuture.failedFuture(
          new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, no));
    }
    if (slices < 0 || ++times < slices) {
      return new CompletableFuture<Boolean>()
          .completeOnTimeout(false, SLICE_MILLIS, TimeUnit.MILLISECONDS);
    }
    times = 0;
    done.run();
    return loss.filter(error -> mostLosses-- > 0)
        .<CompletableFuture<Boolean>>map(CompletableFuture::failedFuture)
        .orElseGet(() -> CompletableFuture.completedFuture(true));
  }

  @Override
  public CompletableFuture<Void> changeLeader(String from, String to) {
    throw new AssertionError();
  }

  @Override
  public CompletableFuture<Boolean> add(
      String from, String member, String address, boolean keepsRows) {
    if (address.isEmpty()) {
      return learner("learns", from);
    }
    return change("add " + member + " at " + address, from, refusal, () -> voters.add(member));
  }

  @Override
  public CompletableFuture<Boolean> drop(String from, String member) {
    if (learners.containsKey(from)) {
      return learner("learns no more", from);
    }
    String refused = refusal.isEmpty() ? keepsAll : refusal;
    return change("drop " + member, from, refused, () -> voters.remove(member));
  }

  /** Also of whoever is to have a group for one. */
  private CompletableFuture<Boolean> learner(String what, String asks) {
    asked.add(asks + " " + what);
    return asks.equals(lost) ? isLost(asks) : CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletableFuture<Void> rebuild(String member) {
    asked.add("rebuild " + member);
    cloning = new Cloning(true, cloning.kept(), "dn-1-a", 3 << 20, 9 << 20);
    state = "REBUILDING";
    return CompletableFuture.completedFuture(null);
  }

  /** The clone is kept, and served. */
  void rebuilt() {
    cloning = new Cloning(false, cloning.kept() + 1, "", 0, 0);
    state = "FOLLOWING";
  }

  /** The agent has ended and begun anew: it knows of nothing. */
  void beginsAnew() {
    cloning = Cloning.NONE;
    state = "FOLLOWING";
  }

  @Override
  public CompletableFuture<GroupOutlook> outlook(String member) {
    throw new AssertionError();
  }

  @Override
  public CompletableFuture<Void> endRebuild(String member) {
    asked.add("end rebuild " + member);
    if (member.equals(lost)) {
      return isLost(member);
    }
    beginsAnew();
    return CompletableFuture.completedFuture(null);
  }
}
