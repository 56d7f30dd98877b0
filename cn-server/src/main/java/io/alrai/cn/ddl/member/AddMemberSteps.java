package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.BeforeJob;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.member.MemberGroup.Answer;
import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.node.DnMember;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a member vote whose process runs and waits for it. A DN of one is a group first. */
final class AddMemberSteps extends MemberSteps {
  private static final Logger log = LoggerFactory.getLogger(AddMemberSteps.class);

  static final String KIND = "ADD_MEMBER";

  /** Where the joiner's log is: it was no member before. */
  private static final String ASKED = "asked";

  /** A leader answers after half a second. */
  private static final int TEXT_EVERY = 6;

  /** How often a step back asks a leader, which answers after 4 s; it is tried again. */
  private static final int MOST_ASKED = 5;

  private final boolean keepsRows;

  AddMemberSteps(String dn, String member, boolean keepsRows) {
    super(dn, member);
    this.keepsRows = keepsRows;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public Map<String, String> firstNotes(Catalog catalog, BeforeJob before) {
    Map<String, String> notes = super.firstNotes(catalog, before);
    return keepsRows ? withRows(notes) : notes;
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    MemberGroup group = MemberGroup.of(run, dn());
    String address = run.noted(ASKED).orElseGet(() -> logAddress(group));
    if (!run.has(ASKED) && !isIn(group.leader())) {
      run.note(ASKED, address);
    }
    run.waiting(
        dn(),
        progress(group),
        step -> {
          StepText text = new StepText(step, TEXT_EVERY, () -> progress(group));
          while (!group.isDone(
              (members, leader) -> members.add(leader, member(), address, keepsRows))) {
            text.look();
          }
        });
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  private boolean isIn(MemberStatus leader) {
    return Stream.concat(
            Stream.of(leader.name()), leader.voters().stream().map(MemberStatus.Voter::name))
        .anyMatch(member()::equals);
  }

  private String progress(MemberGroup group) {
    return member()
        + " is sent the log of "
        + dn()
        + group.status(member()).map(joiner -> ", has entry " + joiner.committed()).orElse("");
  }

  private String logAddress(MemberGroup group) {
    if (group.members().address(group.leader().name()).isEmpty()) {
      // says why not
      group.isDone((members, leader) -> members.add(leader, member(), "", keepsRows));
    }
    DnMember.Keeps keeps = keepsRows ? DnMember.Keeps.ROWS : DnMember.Keeps.LOG;
    DnMember joiner =
        group
            .registered()
            .filter(each -> each.name().equals(member()))
            .findFirst()
            .orElseThrow(() ->
                MemberGroup.refusal(
                    "no process waits to join "
                        + dn()
                        + " as '"
                        + member()
                        + "': start it first, with ./alrai member add; those that are known are "
                        + group.registered().map(DnMember::name).toList()));
    if (joiner.keeps() == DnMember.Keeps.LEARNER) {
      throw MemberGroup.refusal(member() + " is a learner: ADD LEARNER");
    }
    if (joiner.keeps() != keeps) {
      throw MemberGroup.refusal(
          member()
              + (keepsRows
                  ? " keeps the log alone: ADD LOGGER"
                  : " keeps rows and the log: ADD FOLLOWER"));
    }
    if (!keepsRows) {
      return joiner.address();
    }
    return group.answer(member()).logAddress();
  }

  /**
   * A leader cannot stop sending its log, so it is waited for: then the member goes again, if it
   * has come. Where its leader refuses that it stays: others may have to be dropped first, which
   * waits for the end of this.
   */
  @Override
  public void back(JobRun run) {
    if (!run.has(ASKED)) {
      return;
    }
    MemberGroup group = MemberGroup.of(run, dn());
    if (group.leader().term() == 0) {
      return; // there is no group yet that it could be in
    }
    run.waiting(
        dn(),
        member() + " is taken out of the group of " + dn() + " again",
        step -> {
          for (int asked = 0; asked < MOST_ASKED; asked++) {
            if (isOutOrStays(run, group)) {
              return;
            }
          }
          throw MemberGroup.refusal(member() + " is not out of the group of " + dn() + " yet");
        });
  }

  private boolean isOutOrStays(JobRun run, MemberGroup group) {
    return switch (group.ask((members, leader) -> members.drop(leader, member()))) {
      case Answer.Done _ -> true;
      case Answer.AtWork _ -> false;
      case Answer.Refused(AlraiException why) -> {
        log.warn("{} has joined {}, and stays: {}", member(), dn(), why.sentence());
        run.leaves(
            member() + " has joined " + dn() + ": DROP NODE it later, as now " + why.sentence());
        yield true;
      }
      case Answer.Lost(AlraiException why) -> throw why;
    };
  }
}
