package io.alrai.dn.role;

import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.GroupView.Progress;
import io.alrai.dn.group.ReplicaState;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Voter;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a member says of itself to whoever asks. Blocking; any thread. */
final class MemberReport {
  /** What one does that waits to be added, whatever its mysqld does. */
  private static final String JOINING = "JOINING";

  /** What one is that follows, but must not lead. */
  private static final String ERRANT = "ERRANT";

  /** How many members a whole group has. */
  private static final int MEMBERS = 3;

  private final GroupConfig config;
  private final GroupLog groupLog;
  private final GroupView view;
  private final GroupFollower follower;
  private final Rebuild rebuild;
  private final MemberHealth health;

  /**
   * A report that asks for nothing yet.
   *
   * @param health why it must not lead, and what is amiss although it does
   */
  MemberReport(
      GroupConfig config,
      GroupLog groupLog,
      GroupView view,
      GroupFollower follower,
      Rebuild rebuild,
      MemberHealth health) {
    this.rebuild = rebuild;
    this.config = config;
    this.groupLog = groupLog;
    this.view = view;
    this.follower = follower;
    this.health = health;
  }

  /**
   * How the member is.
   *
   * @param role what it does
   * @param answers whether its mysqld has been seen
   */
  MemberStatus status(Role role, boolean answers) throws InterruptedException {
    boolean leads = role.leads();
    Progress now = view.progress();
    long unapplied = leads ? 0 : MemberStatus.UNKNOWN;
    String error = "";
    if (!leads && answers) {
      try {
        ReplicaState state = follower.state();
        unapplied = state.executed().missingOf(now.transactions());
        error = state.error().isEmpty() ? follower.errant() : state.error();
      } catch (MysqldException e) {
        error = e.sentence();
      }
    }
    if (role == Role.REBUILDING) {
      error = rebuild.sentence();
    } else if (!leads && !answers) {
      error = "its mysqld does not answer";
    }
    return new MemberStatus(
        config.name(),
        state(role),
        leads,
        leads ? view.term() : 0,
        now.index(),
        unapplied,
        leads ? 0 : view.lag().millis(),
        error.isEmpty() ? withoutError(leads) : error,
        config.own().address(),
        voters(),
        rebuild.cloning());
  }

  /**
   * As long as the group has fewer than three members its leader says that it was forced. One that
   * follows does not: what it says is taken for why it must not lead.
   */
  private String withoutError(boolean leads) {
    String why = health.unfit();
    if (!leads || !why.isEmpty()) {
      return why;
    }
    String forced = groupLog.members().size() < MEMBERS ? groupLog.forced().orElse("") : "";
    return forced.isEmpty() ? health.amiss() : forced;
  }

  private String state(Role role) {
    if (role != Role.DROPPED && !groupLog.isMember()) {
      return JOINING;
    }
    return role == Role.FOLLOWING && !follower.errant().isEmpty() ? ERRANT : role.name();
  }

  private List<Voter> voters() {
    Map<String, Duration> silences = groupLog.silences();
    return groupLog.members().stream()
        .filter(other -> silences.containsKey(other.name()))
        .map(other -> voter(other, silences.getOrDefault(other.name(), Duration.ZERO)))
        .toList();
  }

  private static Voter voter(GroupMember other, Duration silence) {
    return new Voter(other.name(), other.keeps() == Keeps.ROWS, silence.toMillis());
  }
}
