package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupReader;
import io.alrai.dn.group.Shipped;
import io.alrai.dn.group.VoterLog;
import io.alrai.dn.rpc.wire.DataFramer;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.ShippedRecords;
import io.alrai.dn.rpc.wire.ShippedRecords.ShippedRecord;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a voter's log to one who learns from it, on a thread of its own, no faster than that one
 * takes it. It ends with its connection; when nothing is taken for a minute; and when the voter has
 * known nobody who leads for some seconds, so that whoever learns asks another one.
 */
final class VoterLogSender implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(VoterLogSender.class);

  private static final long HEARD_MILLIS = 250;
  private static final long LOOK_MILLIS = 100;
  private static final long PATIENCE_SECONDS = 60;
  private static final long MOST_WITHOUT_LEADER_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int OBJECT_BYTES = 512;

  private final DnId dn;
  private final VoterLog source;
  private final GtidSet known;
  private final ChannelHandlerContext ctx;
  private long heardNanos;
  private long ledNanos;

  /** All up to that entry was sent; -1 for none. */
  private long sent = -1;

  private volatile boolean closed;
  private final Thread thread;

  private VoterLogSender(DnId dn, VoterLog source, GtidSet known, ChannelHandlerContext ctx) {
    this.dn = dn;
    this.source = source;
    this.known = known;
    this.ctx = ctx;
    this.thread = Thread.ofVirtual().name("teach-" + dn).unstarted(this::run);
  }

  /**
   * Begins.
   *
   * @param known what the other side has, which it must say
   * @throws io.alrai.common.error.AlraiException why there is nothing to send
   */
  static VoterLogSender begin(
      AgentContext agent,
      GroupMembership voter,
      Optional<GtidSet> known,
      ChannelHandlerContext ctx) {
    VoterLog log = voter.log().orElseThrow(() -> agent.unavailable("has no log of a group"));
    GtidSet has = known.orElseThrow(() -> Envelope.malformed("who learns has to say what it has"));
    VoterLogSender begun = new VoterLogSender(agent.dn(), log, has, ctx);
    begun.thread.start();
    return begun;
  }

  private long nanos() {
    return ctx.executor().ticker().nanoTime();
  }

  private void run() {
    ledNanos = nanos();
    heardNanos = ledNanos;
    try {
      send();
    } catch (InterruptedException e) {
      log.debug("the log of {} is sent no longer", dn);
    } catch (BinlogException e) {
      if (e.positionLost()) {
        write(new ShippedRecord.Gone(String.valueOf(e.getMessage())));
      }
      log.info("the log of {} is not sent on: {}", dn, e.getMessage());
    } catch (RuntimeException e) {
      log.error("the log of {}", dn, e);
    } finally {
      ctx.flush();
      ctx.close();
    }
  }

  private void send() throws InterruptedException {
    VoterLog.Unknown unknown = source.unknown(known, this::pause);
    if (!unknown.transactions().isEmpty()) {
      write(new ShippedRecord.Unknown(unknown.errant(), unknown.transactions().toString()));
      return;
    }
    try (GroupReader reader = source.open(known, this::tell)) {
      write(new ShippedRecord.Begins());
      while (!closed) {
        Shipped next = reader.poll(0);
        if (next == null) {
          sent = reader.passed();
          tell();
          ctx.flush();
          next = reader.poll(HEARD_MILLIS);
        }
        tell();
        if (next != null) {
          send(next);
        }
      }
    }
  }

  private void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    tell();
  }

  private void send(Shipped next) {
    write(new ShippedRecord.Next(next.index(), next.transaction()));
    next.forEachPiece(this::piece);
    sent = Math.max(sent, next.index());
  }

  private void piece(ByteBuffer events) {
    ChannelFuture written = write(new ShippedRecord.Piece(events));
    if (!ctx.channel().isWritable()) {
      ctx.flush();
      if (!written.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS) || closed) {
        throw new BinlogException("whoever learns from this voter takes nothing");
      }
    }
  }

  /** Says now and then how far the group is, while somebody leads it. */
  private void tell() {
    long now = nanos();
    if (closed || now - heardNanos < TimeUnit.MILLISECONDS.toNanos(HEARD_MILLIS)) {
      return;
    }
    heardNanos = now;
    if (source.isLed()) {
      ledNanos = now;
    } else if (now - ledNanos > MOST_WITHOUT_LEADER_NANOS) {
      throw new BinlogException("nobody is known here to lead the group");
    }
    write(new ShippedRecord.Heard(source.committed(), sent));
    ctx.flush();
  }

  private ChannelFuture write(ShippedRecord record) {
    ByteBuf out = ctx.alloc().buffer(OBJECT_BYTES);
    ShippedRecords.write(out, record);
    return DataFramer.write(ctx, 0, 0, 0, out, ctx.newPromise());
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
