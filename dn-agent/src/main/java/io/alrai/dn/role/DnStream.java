package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.CommitGate;
import io.alrai.dn.binlog.SemiSyncStream;
import io.alrai.dn.mysqld.MysqldAttendant;
import io.alrai.dn.mysqld.MysqldInstance;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The stream of one DN with the thread and the file that belong to it. Any thread. */
final class DnStream implements AutoCloseable {
  /** Transactions up to this length are given on with their events. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final long CLOSE_MILLIS = 2_000;

  private final EventLoopGroup group;
  private final AckedMark mark;
  private final MysqldAttendant attendant;

  private DnStream(EventLoopGroup group, AckedMark mark, MysqldAttendant attendant) {
    this.group = group;
    this.mark = mark;
    this.attendant = attendant;
  }

  /** Ready to attend to the instance's mysqld, which does not run yet. */
  static DnStream open(
      DnId dn, MysqldInstance instance, MysqldConnector connector, CommitGate gate) {
    AckedMark mark;
    try {
      mark = AckedMark.open(markFile(instance));
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the mark of acknowledged commits cannot be kept: " + e.getMessage(),
          e);
    }
    // a loop of its own: every commit of the mysqld waits for it
    EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("binlog-" + dn, true), EpollIoHandler.newFactory());
    EventLoop loop = (EventLoop) group.iterator().next();
    SemiSyncStream stream = new SemiSyncStream(dn, connector, loop, KEPT_BYTES, gate, mark);
    return new DnStream(group, mark, new StreamAttendant(dn, stream, mark, connector, loop));
  }

  /** Before a mysqld runs without the stream: what it commits then must never be cut off. */
  static void forgetMark(MysqldInstance instance) {
    try {
      Files.deleteIfExists(markFile(instance));
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the mark of acknowledged commits cannot be deleted: " + e.getMessage(),
          e);
    }
  }

  private static Path markFile(MysqldInstance instance) {
    return instance.dataDirectory().resolveSibling("acked");
  }

  /** What the mysqld's supervisor calls. */
  MysqldAttendant attendant() {
    return attendant;
  }

  /** After the mysqld's end. */
  @Override
  public void close() {
    group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    mark.close();
  }
}
