package io.alrai.dn.backend;

import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReadWatch;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to a mysqld for whoever leads there: every connection knows of the gate's commits, and
 * all of them end at once. Thread-safe.
 */
public final class LeaderConnector implements BackendConnector, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaderConnector.class);
  private static final long CLOSE_MILLIS = 5_000;

  private final MysqldConnector mysqld;
  private final ReadWatch watch;

  /** Closes at once what comes after its own end. */
  private final ChannelGroup open;

  /**
   * No connection yet.
   *
   * @param watch of the DN's commits
   * @param loop where the end of all is waited for
   */
  public LeaderConnector(MysqldConnector mysqld, ReadWatch watch, EventLoop loop) {
    this.mysqld = mysqld;
    this.watch = watch;
    this.open = new DefaultChannelGroup(loop, true);
  }

  @Override
  public void open(
      EventLoop on, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    mysqld.open(on, account, home, taker, watch, open::add);
  }

  @Override
  public boolean answers() {
    return mysqld.answers();
  }

  /**
   * Ends all, also those whose login is under way; there are none when this returns, unless an
   * event loop is stuck, which is reported.
   */
  @Override
  public void close() {
    if (!open.close().awaitUninterruptibly(CLOSE_MILLIS)) {
      log.warn("{}: {} connections of its leader do not close", mysqld.dn(), open.size());
    }
  }
}
