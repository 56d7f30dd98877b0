package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the group's log to one replica, from its request on until the connection ends: the log is
 * read by a thread of its own, which waits while the socket takes nothing more. Handler on the
 * loop, the rest on that thread.
 */
final class ReplicaStream extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(ReplicaStream.class);

  private final ReplicaFeeder feeder;
  private final Channel channel;
  private final GtidSet known;
  private final long heartbeatMillis;
  private final ReplicaPackets packets = new ReplicaPackets();

  @GuardedBy("this")
  private boolean ended;

  /**
   * A stream that sends nothing yet.
   *
   * @param known what the replica has
   * @param heartbeatMillis after which it hears that there is nothing
   */
  ReplicaStream(ReplicaFeeder feeder, Channel channel, GtidSet known, long heartbeatMillis) {
    this.feeder = feeder;
    this.channel = channel;
    this.known = known;
    this.heartbeatMillis = heartbeatMillis;
  }

  void start() {
    Thread.ofVirtual().name("feeder-" + feeder.group()).start(this::run);
  }

  private void run() {
    String reason = "the replica left";
    try (GroupReader reader = feeder.source().open(known)) {
      send(reader);
    } catch (BinlogException e) {
      reason = e.getMessage();
    } catch (InterruptedException e) {
      reason = "interrupted";
    } catch (RuntimeException e) {
      reason = "an error";
      log.error("{}: the group's log cannot be sent", feeder.group(), e);
    } finally {
      channel.close();
    }
    log.info("{}: the mysqld is fed no longer on this connection: {}", feeder.group(), reason);
  }

  private void send(GroupReader reader) throws InterruptedException {
    write(packets::rotation);
    feeder.hold().begins(known);
    while (awaitWritable()) {
      Shipped next = reader.poll(0);
      if (next == null) {
        channel.flush();
        next = reader.poll(heartbeatMillis);
      }
      if (next == null) {
        write(packets::heartbeat);
      } else if (passes(next)) {
        send(next);
      }
    }
  }

  /** Waits while a view is opened that does not show it; false where the replica left meanwhile. */
  private boolean passes(Shipped next) throws InterruptedException {
    if (feeder.hold().passes(next.gtid(), 0)) {
      return true;
    }
    channel.flush();
    while (awaitWritable()) {
      if (feeder.hold().passes(next.gtid(), heartbeatMillis)) {
        return true;
      }
      write(packets::heartbeat);
      channel.flush();
    }
    return false;
  }

  private void send(Shipped shipped) {
    packets.begin(shipped.gtid());
    shipped.forEachPiece(this::piece);
    packets.end();
    feeder.sent(shipped.gtid());
  }

  private void piece(ByteBuffer piece) {
    if (!awaitWritable()) {
      throw new BinlogException("the replica left in the middle of a transaction");
    }
    feeder.sent(piece.remaining());
    write(out -> packets.piece(piece, out));
  }

  private interface Content {
    void writeTo(ByteBuf out);
  }

  private void write(Content content) {
    ByteBuf out = channel.alloc().buffer();
    boolean whole = false;
    try {
      content.writeTo(out);
      whole = true;
    } finally {
      if (!whole) {
        out.release();
      }
    }
    channel.write(out, channel.voidPromise());
  }

  /** Whether the connection is still there. */
  private synchronized boolean awaitWritable() {
    while (!ended && !channel.isWritable()) {
      channel.flush();
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return !ended;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    synchronized (this) {
      notifyAll();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    log.debug("{}: the connection of the mysqld breaks", feeder.group(), cause);
    ctx.close();
  }
}
