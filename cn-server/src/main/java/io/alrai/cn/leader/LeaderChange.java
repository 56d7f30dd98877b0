package io.alrai.cn.leader;

import io.alrai.cn.system.MemberAnswer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A planned change of a group's leader. Blocking; any thread. */
public final class LeaderChange {
  /** A member that lacks more of its group's log would keep writes waiting for too long. */
  private static final long MOST_BEHIND = 10_000;

  private static final long LOOK_MILLIS = 20;
  private static final long LEADS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private LeaderChange() {}

  /**
   * Lets a member lead; returns when it takes writes.
   *
   * @throws AlraiException why it cannot: its DN goes on with the leader that it has
   */
  public static void to(DnMembers members, String name) {
    List<MemberAnswer> answers = answers(members, name);
    MemberAnswer leader =
        answers.stream()
            .filter(MemberAnswer::leads)
            .findFirst()
            .orElseThrow(() ->
                refusal(
                    "nobody leads the group of "
                        + name
                        + " now, so nobody can give the lead away: "
                        + answers.stream()
                            .map(answer -> answer.name() + " is " + answer.state())
                            .toList()));
    requireFit(name, leader, answers);
    await(members.changeLeader(leader.name(), name));
    awaitLead(members, name, leader.status().map(MemberStatus::term).orElse(0L));
  }

  /** What members say, asked again while who leads or shall lead is not among them. */
  private static List<MemberAnswer> answers(DnMembers members, String name) {
    List<MemberAnswer> answers = MemberAnswer.ask(members);
    for (int asks = 1; asks < MemberAnswer.MOST_ASKS && isOpen(answers, name); asks++) {
      answers = MemberAnswer.ask(members);
    }
    return answers;
  }

  private static boolean isOpen(List<MemberAnswer> answers, String name) {
    boolean nobodyLeads = answers.stream().noneMatch(MemberAnswer::leads);
    return answers.stream()
        .filter(answer -> nobodyLeads || answer.name().equals(name))
        .anyMatch(answer -> answer.status().isEmpty());
  }

  /** What was begun goes on when this is interrupted: SHOW STORAGE REPLICAS has it. */
  private static void await(CompletableFuture<Void> done) {
    try {
      done.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AlraiException known
          ? known
          : refusal(MemberAnswer.sentence(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  private static void requireFit(String name, MemberAnswer leader, List<MemberAnswer> answers) {
    if (leader.name().equals(name)) {
      throw refusal(name + " leads already");
    }
    MemberAnswer wanted =
        answers.stream()
            .filter(answer -> answer.name().equals(name))
            .findFirst()
            .orElseThrow(() -> refusal(name + " is no member any more"));
    MemberStatus status =
        wanted
            .status()
            .orElseThrow(() ->
                refusal(
                    name
                        + " does not answer: "
                        + wanted.error()
                        + "; start it, or try again if it runs"));
    if (!status.state().equals(MemberStatus.FOLLOWING) || !status.error().isEmpty()) {
      throw refusal(name + " cannot lead, as it is " + status.state() + ": " + status.error());
    }
    if (status.unapplied() > MOST_BEHIND) {
      throw refusal(
          name
              + " is "
              + status.unapplied()
              + " transactions behind: it can lead with at most "
              + MOST_BEHIND
              + "; SHOW STORAGE REPLICAS tells");
    }
  }

  private static void awaitLead(DnMembers members, String name, long termBefore) {
    long end = System.nanoTime() + LEADS_NANOS;
    while (true) {
      Optional<MemberStatus> leader =
          MemberAnswer.ask(members).stream()
              .flatMap(answer -> answer.status().stream())
              .filter(status -> status.leads() && status.term() > termBefore)
              .findFirst();
      if (leader.isPresent() && leader.get().name().equals(name)) {
        return;
      }
      if (leader.isPresent()) {
        throw refusal(
            name
                + " was elected, and then "
                + leader.get().name()
                + ", as "
                + name
                + " was not heard of in time");
      }
      if (System.nanoTime() - end > 0) {
        throw refusal(name + " was elected, but does not take writes yet: SHOW STORAGE REPLICAS");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
