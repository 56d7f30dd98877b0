package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.CommitGate;
import io.alrai.dn.binlog.SemiSyncStream;
import io.alrai.dn.binlog.WayOut;
import io.alrai.dn.mysqld.MysqldAttendant;
import io.alrai.dn.mysqld.MysqldInstance;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;

/** The stream of one DN with the file that belongs to it. Any thread. */
final class DnStream implements AutoCloseable {
  /** Transactions up to this length are given on with their events. */
  private static final int KEPT_BYTES = 1 << 20;

  private final AckedMark mark;
  private final MysqldAttendant attendant;

  private DnStream(AckedMark mark, MysqldAttendant attendant) {
    this.mark = mark;
    this.attendant = attendant;
  }

  /**
   * Ready to attend to the instance's mysqld, which does not run yet.
   *
   * @param loop the gate's: every commit of the mysqld waits for it
   * @param kill SIGKILL of the mysqld, which is started again
   */
  static DnStream open(
      DnId dn,
      MysqldInstance instance,
      MysqldConnector connector,
      CommitGate gate,
      EventLoop loop,
      Runnable kill) {
    AckedMark mark;
    try {
      mark = AckedMark.open(markFile(instance));
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the mark of acknowledged commits cannot be kept: " + e.getMessage(),
          e);
    }
    SemiSyncStream stream =
        new SemiSyncStream(dn, connector, loop, KEPT_BYTES, gate, mark, WayOut.standard(kill));
    return new DnStream(mark, new StreamAttendant(dn, stream, mark, connector, loop));
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
    mark.close();
  }
}
