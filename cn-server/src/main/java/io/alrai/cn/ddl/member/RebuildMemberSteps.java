package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.JobStep;
import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a member get all its rows from another one; ends when it follows with them. */
final class RebuildMemberSteps extends MemberSteps {
  private static final Logger log = LoggerFactory.getLogger(RebuildMemberSteps.class);

  static final String KIND = "REBUILD_MEMBER";

  /** How many clones the member had kept when it was asked for one more. */
  private static final String KEPT = "kept";

  /** Ten looks are a second. */
  private static final int TEXT_EVERY = 30;

  /** Its agent may begin anew with its machine; one that is away for longer may be lost. */
  private static final Duration MOST_SILENT = Duration.ofMinutes(5);

  /** States of one that has its rows. */
  private static final Set<String> SERVES = Set.of("FOLLOWING", "ERRANT", "PROMOTING", "LEADING");

  RebuildMemberSteps(String dn, String member) {
    super(dn, member);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    MemberGroup group = MemberGroup.with(run, member(), dn());
    run.waiting(member(), progress(group), step -> rebuild(run, group, step));
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  private void rebuild(JobRun run, MemberGroup group, JobStep step) {
    if (!run.has(KEPT)) {
      group.answer(member()); // nobody waits for one that was not started
    }
    StepText text = new StepText(step, TEXT_EVERY, () -> progress(group));
    boolean asked = false;
    long heardNanos = run.work().nanos();
    while (true) {
      text.look();
      long now = run.work().nanos();
      Optional<MemberStatus> answer = group.status(member());
      if (answer.isEmpty()) {
        requireHope(Duration.ofNanos(now - heardNanos));
      } else {
        heardNanos = now;
        MemberStatus status = answer.get();
        Cloning cloning = status.cloning();
        int before = run.noted(KEPT).map(Integer::parseInt).orElse(Integer.MAX_VALUE);
        if (!cloning.asked() && cloning.kept() > before) {
          if (SERVES.contains(status.state())) {
            return;
          }
        } else if (!cloning.asked()) {
          if (asked && status.leads()) {
            throw MemberGroup.refusal(
                member() + " was elected meanwhile, and leads with the rows that it has");
          }
          // it was not asked yet, or its agent has begun anew
          run.note(KEPT, Integer.toString(cloning.kept()));
          group.tell(group.members().rebuild(member()));
          asked = true;
        }
      }
      MemberGroup.pause();
    }
  }

  private void requireHope(Duration silent) {
    if (silent.compareTo(MOST_SILENT) > 0) {
      throw MemberGroup.refusal(
          member()
              + " has not answered for "
              + MOST_SILENT.toMinutes()
              + " minutes: repeat this when it does, or DROP NODE it");
    }
  }

  private String progress(MemberGroup group) {
    Optional<MemberStatus> status = group.status(member());
    String state = status.map(MemberStatus::state).orElse("SILENT");
    String clones =
        status
            .map(MemberStatus::cloning)
            .filter(cloning -> !cloning.donor().isEmpty())
            .map(cloning ->
                ", clones "
                    + cloning.donor()
                    + ": "
                    + (cloning.bytes() >> 20)
                    + " of "
                    + (cloning.estimate() >> 20)
                    + " MiB")
            .orElse("");
    return member() + " is " + state + clones;
  }

  /**
   * Nothing of what the member had has gone. One that is away is not waited for: it may be lost,
   * and an agent that begins anew does not know that it was asked.
   */
  @Override
  public void back(JobRun run) {
    Optional<MemberGroup> group = MemberGroup.find(run, member(), dn());
    if (group.isEmpty() || !run.has(KEPT)) {
      return;
    }
    try {
      group.get().tell(group.get().members().endRebuild(member()));
    } catch (AlraiException silent) {
      log.warn("{} may go on with its clone, as it was not told: {}", member(), silent.sentence());
    }
  }
}
