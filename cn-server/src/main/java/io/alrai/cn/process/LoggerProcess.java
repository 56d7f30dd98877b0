package io.alrai.cn.process;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.dn.link.GroupLimit;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.raft.DeafEvents;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.role.MemberMetrics;
import io.alrai.gms.client.RaftGmsClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a logger: a member of groups that has their logs and no mysqld. */
public final class LoggerProcess {
  private static final Logger log = LoggerFactory.getLogger(LoggerProcess.class);

  private final RoleConfig role;
  private final GroupLimits limits;

  /** A logger of the groups that its configuration names. */
  public LoggerProcess(RoleConfig role) {
    this.role = role;
    this.limits = role.bears().limits();
  }

  /**
   * Joins all of them. One whose log is there is joined without asking anybody; the others when the
   * catalog does not know that the logger was a member already.
   *
   * @throws AlraiException why one of the logs cannot be used; the GMS does not answer; why it is
   *     in none of the groups
   */
  public Service.Started start() {
    return Service.Started.of(parts -> {
      start(parts);
      return "ready logger " + role.node();
    });
  }

  private void start(Closers parts) {
    Metrics metrics = new Metrics();
    Readiness readiness = role.openMetrics(metrics, parts::add);
    List<LoggerNotice.Part> joined = new ArrayList<>();
    List<DnGroup> fresh = new ArrayList<>();
    for (DnGroup group : role.groups()) {
      GroupConfig config = role.inGroup(group);
      if (GroupLog.isDropped(config)) {
        log.warn("{} was dropped from the group of {}", role.node(), group.dn());
      } else if (GroupLog.isThere(config)) {
        joined.add(join(group, config, parts));
      } else {
        fresh.add(group);
      }
    }
    if (!fresh.isEmpty()) {
      admitted(fresh, joined.isEmpty())
          .forEach((group, config) -> joined.add(join(group, config, parts)));
    }
    parts.add(LoggerNotice.tell(role, joined, limits));
    joined.forEach(part -> {
      MemberMetrics.register(part.dn(), part.groupLog(), metrics);
      readiness.needs(() -> withoutLeader(part));
    });
    parts.add(readiness.serves());
  }

  private LoggerNotice.Part join(DnGroup group, GroupConfig begins, Closers parts) {
    GroupConfig config = begins.retaining(() -> limits.of(GroupLimit.LOG_RETENTION));
    GroupLog joined =
        parts.add(
            GroupLog.start(
                config, new DeafEvents(reason -> end(group.dn() + " of " + role.node(), reason))));
    return new LoggerNotice.Part(group.dn(), config, joined, group.joins());
  }

  /**
   * Those of which it may begin a log: its part of one of the others' is lost.
   *
   * @param all whether these are all that it has
   * @throws AlraiException why it may in none, where these are all
   */
  private Map<DnGroup, GroupConfig> admitted(List<DnGroup> fresh, boolean all) {
    log.info(
        "{} has no log of {}: it asks the GMS whether it had one",
        role.node(),
        fresh.stream().map(DnGroup::dn).toList());
    Map<DnGroup, GroupConfig> admitted = new LinkedHashMap<>();
    List<AlraiException> refusals = new ArrayList<>();
    try (RaftGmsClient gms =
        RaftGmsClient.connect(role.knownGms(), role.secret().open(), new Metrics())) {
      for (DnGroup group : fresh) {
        try {
          GroupConfig config = role.inGroup(group);
          DnAdmission.check(gms.catalog(), group.dn(), config);
          admitted.put(group, ForcedMember.begin(gms.catalog(), group.dn(), config));
        } catch (AlraiException e) {
          log.error("{} does not take part in {}: {}", role.node(), group.dn(), e.sentence());
          refusals.add(e);
        }
      }
    }
    if (all && admitted.isEmpty()) {
      throw refusals.getFirst();
    }
    return admitted;
  }

  private static Optional<String> withoutLeader(LoggerNotice.Part part) {
    return part.groupLog().leader().isPresent()
        ? Optional.empty()
        : Optional.of("the group of " + part.dn() + " has no leader that it knows of");
  }

  private static void end(String name, Throwable reason) {
    log.error("{} ends: it cannot write its log and is started again", name, reason);
    Runtime.getRuntime().halt(FAILED);
  }

  /** What a process whose log cannot be written exits with. */
  static final int FAILED = 70;
}
