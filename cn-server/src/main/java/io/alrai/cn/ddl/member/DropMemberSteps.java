package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.member.MemberGroup.Answer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.DnMember;
import java.util.List;
import java.util.stream.Stream;

/**
 * Has a group go on without a member. Once its leader has begun, this goes only forward, as a
 * member that has heard of it does not come back under its name.
 */
final class DropMemberSteps extends MemberSteps {
  static final String KIND = "DROP_MEMBER";

  DropMemberSteps(String dn, String member) {
    super(dn, member);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    MemberGroup group = MemberGroup.of(run, dn());
    if (!run.isOnlyForward()) {
      requireKnown(group);
    }
    run.waiting(
        dn(),
        dn() + " goes on without " + member(),
        step -> {
          while (!isDropped(run, group)) {
            evenIfEnded(run::onlyForward);
          }
        });
    evenIfEnded(
        () -> run.finish(List.of(new CatalogCommand.DropDnMember(new DnId(dn()), member()))));
    return DdlOutcome.QUIET;
  }

  private boolean isDropped(JobRun run, MemberGroup group) {
    return switch (group.ask((members, leader) -> members.drop(leader, member()))) {
      case Answer.Done _ -> true;
      case Answer.AtWork _ -> false;
      case Answer.Refused(AlraiException why) -> {
        if (run.isOnlyForward()) {
          // the leader has the member, so nobody's log drops it, and others wait for the job
          run.transition(DdlJob.State.FAILED, why.sentence());
        }
        throw why;
      }
      case Answer.Lost(AlraiException why) -> {
        evenIfEnded(run::onlyForward);
        throw why;
      }
    };
  }

  /** An interrupt must not keep it from being written: it is done. */
  private static void evenIfEnded(Runnable note) {
    boolean interrupted = Thread.interrupted();
    try {
      note.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void requireKnown(MemberGroup group) {
    MemberStatus leader = group.leader();
    List<String> known =
        Stream.of(
                Stream.of(leader.name()),
                leader.voters().stream().map(MemberStatus.Voter::name),
                group.registered().map(DnMember::name))
            .flatMap(names -> names)
            .distinct()
            .sorted()
            .toList();
    if (!known.contains(member())) {
      throw MemberGroup.refusal(dn() + " has no member '" + member() + "': it has " + known);
    }
  }

  @Override
  public void back(JobRun run) {
    // its leader has refused, or was not asked
  }
}
