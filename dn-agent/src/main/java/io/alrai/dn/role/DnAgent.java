package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.ship.Backlog;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DN at work: a {@link Member} of one replica, which leads from its start to its end. Started
 * and closed by any one thread; blocking.
 */
public final class DnAgent implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DnAgent.class);

  private final Member member;
  private final LeaderPart leader;
  private final Lead lead;

  private DnAgent(Member member, LeaderPart leader) {
    this.member = member;
    this.leader = leader;
    this.lead = new Lead(member, leader, 0, Backlog.none(member.dn().name()));
  }

  /**
   * Starts the mysqld and all around it; returns when it serves.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withSemiSync}: its
   *     commits become visible only when this agent's gate lets them
   */
  public static DnAgent start(
      DnId dn, MysqldInstance instance, MemberContext context, LeaderContext leading) {
    Member member = Member.open(dn, instance, context);
    boolean started = false;
    try {
      member.start();
      DnAgent agent = new DnAgent(member, LeaderPart.open(member, leading));
      log.info(
          "{} serves: mysqld {} on {}",
          dn,
          member.supervisor().pid().orElse(0),
          member.supervisor().socketPath());
      started = true;
      return agent;
    } finally {
      if (!started) {
        member.close();
      }
    }
  }

  /** What it serves, from its start to its end. */
  public Lead lead() {
    return lead;
  }

  /** Its mysqld. */
  public MysqldSupervisor supervisor() {
    return member.supervisor();
  }

  /** Deletes what nobody wants of the binary log, as is done every few seconds: for tests. */
  CompletableFuture<Void> purgeLog() {
    return leader.purgeLog();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return member.clock();
  }

  /** Ends its work in order, the mysqld last. */
  @Override
  public void close() {
    try {
      leader.rest();
    } finally {
      try {
        member.stop();
      } finally {
        leader.close();
        member.close();
      }
    }
  }
}
