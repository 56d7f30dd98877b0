package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.member.MemberGroup.Answer;
import io.alrai.cn.system.MemberAnswer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.thread.Uninterrupted;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.Zones;
import io.alrai.gms.api.node.DnMember;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a group go on without a member. Once its leader has begun, this goes only forward, as a
 * member that has heard of it does not come back under its name.
 */
final class DropMemberSteps extends MemberSteps {
  private static final Logger log = LoggerFactory.getLogger(DropMemberSteps.class);

  static final String KIND = "DROP_MEMBER";

  /** How many answers of leaders were. */
  private int lost;

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
    boolean learns = group.learner(member()).isPresent();
    run.waiting(
        dn(),
        dn() + " goes on without " + member(),
        step -> {
          if (learns) {
            dropLearner(run, group);
            return;
          }
          while (!isDropped(run, group)) {
            Uninterrupted.run(run::onlyForward);
          }
        });
    Uninterrupted.run(() ->
        run.finish(
            List.of(
                new CatalogCommand.DropDnMember(new DnId(dn()), member()), Zones.leave(member()))));
    return DdlOutcome.QUIET;
  }

  /** One that does not answer finds out by itself: the catalog does not know it any more. */
  private void dropLearner(JobRun run, MemberGroup group) {
    run.onlyForward();
    try {
      group.tell(group.members().drop(member(), member()));
    } catch (AlraiException silent) {
      log.warn("{} was not told that it is dropped: {}", member(), silent.sentence());
    }
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
        Uninterrupted.run(run::onlyForward);
        lost++;
        if (lost == MemberAnswer.MOST_ASKS) {
          throw why;
        }
        yield false;
      }
    };
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
