package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.JobStep;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Has a member get all its rows from another one; ends when it follows with them. */
final class RebuildMemberSteps extends MemberSteps {
  static final String KIND = "REBUILD_MEMBER";

  /** How many clones the member had kept when it was asked for one more. */
  private static final String KEPT = "kept";

  /** Ten looks are a second. */
  private static final int TEXT_EVERY = 30;

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
    StepText text = new StepText(step, TEXT_EVERY, () -> progress(group));
    boolean asked = false;
    while (true) {
      text.look();
      Optional<MemberStatus> answer = group.status(member());
      if (answer.isEmpty() && !run.has(KEPT)) {
        throw MemberGroup.refusal(member() + " does not answer; start it first");
      }
      if (answer.isPresent()) {
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

  /** Nothing of what the member had has gone. */
  @Override
  public void back(JobRun run) {
    if (run.has(KEPT)) {
      MemberGroup group = MemberGroup.with(run, member(), dn());
      group.tell(group.members().endRebuild(member()));
    }
  }
}
