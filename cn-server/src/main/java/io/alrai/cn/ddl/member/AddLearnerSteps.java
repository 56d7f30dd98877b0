package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.JobStep;
import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.node.DnMember;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a process learn that waits for it; ends when that serves reads and has nearly all rows.
 * Nobody's vote is changed. A DN of one is a group first, as there is a log to learn from then.
 */
final class AddLearnerSteps extends MemberSteps {
  private static final Logger log = LoggerFactory.getLogger(AddLearnerSteps.class);

  static final String KIND = "ADD_LEARNER";

  /** It was asked to learn. */
  private static final String TOLD = "told";

  /** Ten looks are a second. */
  private static final int TEXT_EVERY = 30;

  /** How many transactions are applied within a moment. */
  private static final long MOST_BEHIND = 1_000;

  /** Its agent may begin anew with its machine; one that is away for longer may be lost. */
  private static final Duration MOST_SILENT = Duration.ofMinutes(5);

  AddLearnerSteps(String dn, String member) {
    super(dn, member);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    MemberGroup group = MemberGroup.of(run, dn());
    MemberStatus leader = group.leader();
    if (leader.term() == 0 && group.members().address(leader.name()).isEmpty()) {
      makeGroup(group); // says why there can be none
    }
    if (!run.has(TOLD)) {
      requireProcess(group);
    }
    run.waiting(
        dn(),
        progress(group),
        step -> {
          if (!run.has(TOLD)) {
            while (!makeGroup(group)) {
              MemberGroup.pause();
            }
            run.note(TOLD, "yes");
          }
          learn(run, group, step);
        });
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  /** Whether there is a group by now. */
  private boolean makeGroup(MemberGroup group) {
    return group.isDone((members, leader) -> members.add(leader, member(), "", true));
  }

  private void requireProcess(MemberGroup group) {
    DnMember joiner =
        group
            .registered()
            .filter(each -> each.name().equals(member()))
            .findFirst()
            .orElseThrow(() ->
                MemberGroup.refusal(
                    "no process waits to learn from "
                        + dn()
                        + " as '"
                        + member()
                        + "': start it first, with ./alrai member add --learner; those that are"
                        + " known are "
                        + group.registered().map(DnMember::name).toList()));
    if (joiner.keeps() != DnMember.Keeps.LEARNER) {
      throw MemberGroup.refusal(
          member() + " is no learner: its process was made to vote, without --learner");
    }
    group.answer(member());
  }

  private void learn(JobRun run, MemberGroup group, JobStep step) {
    StepText text = new StepText(step, TEXT_EVERY, () -> progress(group));
    tell(group);
    long heardNanos = run.work().nanos();
    while (true) {
      text.look();
      long now = run.work().nanos();
      Optional<MemberStatus> status = group.status(member());
      if (status.isPresent()) {
        heardNanos = now;
        if (serves(group, status.get())) {
          return;
        }
      } else if (now - heardNanos > MOST_SILENT.toNanos()) {
        throw MemberGroup.refusal(
            member() + " has not answered for " + MOST_SILENT.toMinutes() + " minutes");
      }
      MemberGroup.pause();
    }
  }

  private void tell(MemberGroup group) {
    group.tell(group.members().add(member(), member(), "", true));
  }

  /** Whether it has nearly all rows; a clone takes as long as it takes, and is seen. */
  private boolean serves(MemberGroup group, MemberStatus status) {
    return switch (status.state()) {
      case MemberStatus.FOLLOWING ->
          status.error().isEmpty()
              && status.unapplied() != MemberStatus.UNKNOWN
              && status.unapplied() <= MOST_BEHIND;
      case MemberStatus.JOINING -> {
        tell(group); // its process has begun anew, and has not heard it
        yield false;
      }
      case MemberStatus.DROPPED ->
          throw MemberGroup.refusal(
              member()
                  + " was dropped meanwhile: end its process and remove its directory; to add it"
                  + " again, begin with an empty one");
      case MemberStatus.ERRANT ->
          throw MemberGroup.refusal(member() + " cannot learn: " + status.error());
      default -> false;
    };
  }

  private String progress(MemberGroup group) {
    return member() + " is " + group.status(member()).map(this::says).orElse("SILENT");
  }

  private String says(MemberStatus status) {
    return status.state()
        + (status.error().isEmpty() ? "" : ": " + status.error())
        + (status.unapplied() > 0 ? ", lacks " + status.unapplied() + " transactions" : "");
  }

  /** It learns no more, if it has begun. One that does not answer finds out by the catalog. */
  @Override
  public void back(JobRun run) {
    if (!run.has(TOLD)) {
      return;
    }
    MemberGroup group = MemberGroup.of(run, dn());
    try {
      group.tell(group.members().drop(member(), member()));
    } catch (AlraiException silent) {
      log.warn("{} was not told to learn no more: {}", member(), silent.sentence());
      run.leaves(member() + " does not answer: DROP NODE it");
    }
  }
}
