package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.system.MemberAnswer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.thread.Pause;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The group of one DN, as a job asks it. Blocking. */
final class MemberGroup {
  /** How often a job looks for somebody who leads: for ten seconds, where members answer. */
  private static final int MOST_LOOKS = 100;

  private static final long LOOK_MILLIS = 100;

  private final DnId dn;
  private final DnMembers members;
  private final JobRun run;

  private MemberGroup(DnId dn, DnMembers members, JobRun run) {
    this.dn = dn;
    this.members = members;
    this.run = run;
  }

  /** The group of that DN. */
  static MemberGroup of(JobRun run, String dn) {
    Map<DnId, DnMembers> all = run.members();
    return all.entrySet().stream()
        .filter(each -> each.getKey().name().equals(dn)) // which may be no name of a DN
        .findFirst()
        .map(each -> new MemberGroup(each.getKey(), each.getValue(), run))
        .orElseThrow(() -> refusal("there is no DN '" + dn + "': there are " + names(all)));
  }

  /**
   * The group of a member that keeps rows.
   *
   * @param dn empty for any
   */
  static MemberGroup with(JobRun run, String member, String dn) {
    return find(run, member, dn)
        .orElseThrow(() ->
            refusal(
                (dn.isEmpty() ? "no DN has a" : "the DN '" + dn + "' has no")
                    + " member '"
                    + member
                    + "' that keeps rows; those that can lead are "
                    + all(run, dn).flatMap(each -> each.getValue().names().stream()).toList()));
  }

  /** As {@link #with}; empty where there is no such member. */
  static Optional<MemberGroup> find(JobRun run, String member, String dn) {
    return all(run, dn)
        .filter(each -> hasRows(each.getValue(), member))
        .findFirst()
        .map(each -> new MemberGroup(each.getKey(), each.getValue(), run));
  }

  private static boolean hasRows(DnMembers of, String member) {
    return of.names().contains(member) || of.learners().contains(member);
  }

  private static Stream<Map.Entry<DnId, DnMembers>> all(JobRun run, String dn) {
    return run.members().entrySet().stream()
        .filter(each -> dn.isEmpty() || dn.equals(each.getKey().name()));
  }

  private static List<String> names(Map<DnId, DnMembers> all) {
    return all.keySet().stream().map(DnId::name).toList();
  }

  /** Who leads; waits for one for some seconds. */
  MemberStatus leader() {
    for (int look = 0; look < MOST_LOOKS; look++) {
      Optional<MemberStatus> leader = leaderNow();
      if (leader.isPresent()) {
        return leader.get();
      }
      pause();
    }
    throw refusal(
        "nobody leads "
            + dn
            + " now, so nobody can change its group; SHOW STORAGE REPLICAS tells why");
  }

  private Optional<MemberStatus> leaderNow() {
    List<CompletableFuture<MemberStatus>> asked =
        members.names().stream().map(members::ask).toList();
    return asked.stream()
        .flatMap(each -> known(each).stream())
        .filter(MemberStatus::leads)
        .findFirst();
  }

  private static Optional<MemberStatus> known(CompletableFuture<MemberStatus> asked) {
    try {
      return Optional.of(asked.join());
    } catch (CompletionException silent) {
      return Optional.empty();
    }
  }

  /** What a member says; empty where it says nothing. */
  Optional<MemberStatus> status(String member) {
    return hasRows(members, member) ? known(members.ask(member)) : Optional.empty();
  }

  /**
   * What a member says that has to be there.
   *
   * @throws AlraiException it says nothing, though it was asked more than once
   */
  MemberStatus answer(String member) {
    return answer(member, () -> status(member));
  }

  static MemberStatus answer(String member, Supplier<Optional<MemberStatus>> ask) {
    for (int asks = 0; asks < MemberAnswer.MOST_ASKS; asks++) {
      Optional<MemberStatus> status = ask.get();
      if (status.isPresent()) {
        return status.get();
      }
    }
    throw refusal(member + " does not answer; start it first, or try again if it runs");
  }

  /** Who is in it, or waits to be, as the catalog has it. */
  Stream<DnMember> registered() {
    return run.gms().catalog().dataNode(dn).stream().map(DataNode::members).flatMap(List::stream);
  }

  /** A learner of that name, which may not have been added yet. */
  Optional<DnMember> learner(String member) {
    return registered()
        .filter(each -> each.name().equals(member) && each.keeps() == DnMember.Keeps.LEARNER)
        .findFirst();
  }

  /** A change that its leader is asked for. */
  interface Change {
    /** Whether it is done; fails as {@link DnMembers#drop} does. */
    CompletableFuture<Boolean> by(DnMembers members, String leader);
  }

  /** What came of a change that a leader was asked for. */
  sealed interface Answer {
    /** Nothing is left to do. */
    record Done() implements Answer {}

    /** It is asked for again: it takes a while, or another one leads by now. */
    record AtWork() implements Answer {}

    /** Whoever was asked leads still, and does not do it. */
    record Refused(AlraiException why) implements Answer {}

    /** Whoever was asked leads still, and nobody knows whether it does it. */
    record Lost(AlraiException why) implements Answer {}
  }

  /**
   * Asks the leader once, which answers within four seconds, and 10 s at most. An interrupt ends
   * only what is asked after it.
   *
   * @throws AlraiException where nobody leads
   */
  Answer ask(Change change) {
    if (Thread.currentThread().isInterrupted()) {
      throw AlraiException.interruption();
    }
    MemberStatus leader = leader();
    Answer answer = answer(change.by(members, leader.name()));
    boolean failed = answer instanceof Answer.Refused || answer instanceof Answer.Lost;
    return failed && !stillLeads(leader) ? new Answer.AtWork() : answer;
  }

  /**
   * Asks the leader once, as {@link #ask}.
   *
   * @return whether it is done; else it is asked again
   * @throws AlraiException a leader's refusal, or the loss of its answer
   */
  boolean isDone(Change change) {
    return switch (ask(change)) {
      case Answer.Done _ -> true;
      case Answer.AtWork _ -> false;
      case Answer.Refused(AlraiException why) -> throw why;
      case Answer.Lost(AlraiException why) -> throw why;
    };
  }

  private static Answer answer(CompletableFuture<Boolean> asked) {
    try {
      return asked.join() ? new Answer.Done() : new Answer.AtWork();
    } catch (CompletionException e) {
      AlraiException why = reason(e);
      return e.getCause() == why && why.is(ErrorCode.ALRAI_NODE_UNAVAILABLE)
          ? new Answer.Refused(why)
          : new Answer.Lost(
              refusal(why.sentence() + ": it may be done or not, and can be repeated"));
    }
  }

  private boolean stillLeads(MemberStatus leader) {
    return known(members.ask(leader.name()))
        .filter(now -> now.leads() && now.term() == leader.term())
        .isPresent();
  }

  /**
   * Waits until a member has taken what it was asked for.
   *
   * @throws AlraiException why it does not, or that there was no answer in time
   */
  void tell(CompletableFuture<?> asked) {
    try {
      asked.join();
    } catch (CompletionException e) {
      throw reason(e);
    }
  }

  DnMembers members() {
    return members;
  }

  private static AlraiException reason(CompletionException failed) {
    return failed.getCause() instanceof AlraiException known
        ? known
        : refusal("there was no answer in time");
  }

  /** Between two looks at members. */
  static void pause() {
    Pause.ofMillis(LOOK_MILLIS);
  }

  static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
