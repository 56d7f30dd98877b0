package io.alrai.cn.process;

import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupEvents;
import io.alrai.dn.raft.GroupLog;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a logger: a member of groups that has their logs and no mysqld. */
public final class LoggerProcess {
  private static final Logger log = LoggerFactory.getLogger(LoggerProcess.class);

  private final RoleConfig role;

  /** A logger of the groups that its configuration names. */
  public LoggerProcess(RoleConfig role) {
    this.role = role;
  }

  /**
   * Joins all of them.
   *
   * @throws io.alrai.common.error.AlraiException why one of the logs cannot be used
   */
  public Service.Started start() {
    Closers parts = new Closers();
    boolean started = false;
    try {
      for (DnGroup group : role.groups()) {
        GroupConfig config = role.inGroup(group);
        if (GroupLog.isDropped(config)) {
          log.warn("{} was dropped from the group of {}", role.node(), group.dn());
        } else {
          parts.add(GroupLog.start(config, new Silent(group.dn() + " of " + role.node())));
          if (group.joins()) {
            parts.add(JoiningLogger.tell(role, group));
          }
        }
      }
      started = true;
      return new Service.Started("ready logger " + role.node(), parts);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  /** Of what is committed it has nothing to do but to keep it; it never leads for long. */
  private record Silent(String name) implements GroupEvents {
    @Override
    public void committed(long term, long index, ByteBuffer entry) {}

    @Override
    public void leads(long term) {}

    @Override
    public void follows() {}

    @Override
    public void dropped() {}

    @Override
    public void failed(Throwable reason) {
      log.error("{} ends: it cannot write its log and is started again", name, reason);
      Runtime.getRuntime().halt(FAILED);
    }
  }

  /** What a process whose log cannot be written exits with. */
  static final int FAILED = 70;
}
