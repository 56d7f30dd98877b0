package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session of a {@link FakeMysqld}: answers within {@link #send}. */
public final class FakeBranch implements Branch {
  /** Rows of alrai.tx_log that the open transaction has locked, as they will be. */
  final Map<String, Optional<FakeTxLog.Row>> pendingLog = new HashMap<>();

  boolean inTransaction;
  String marker = "";

  /** Set in the open transaction. */
  TransactionKind.@Nullable Decision mark;

  private final FakeMysqld mysqld;
  private final BranchState state = new BranchState();
  private boolean alive = true;

  /** Whether it waits for what is prepared on it to be ended. */
  boolean kept;

  public FakeBranch(FakeMysqld mysqld) {
    this.mysqld = mysqld;
  }

  void begin() {
    inTransaction = true;
  }

  void commitPlain() {
    Map<String, Optional<FakeTxLog.Row>> rows = Map.copyOf(pendingLog);
    String wrote = marker;
    TransactionKind.Decision decision = mark;
    forgetTransaction();
    if (!wrote.isEmpty()) {
      mysqld.committed.add(wrote);
    }
    boolean changed = mysqld.log.commit(rows, mysqld::logged);
    if (decision != null && (changed || !wrote.isEmpty())) {
      mysqld.marked(decision);
    }
  }

  void forgetTransaction() {
    pendingLog.clear();
    mark = null;
    marker = "";
    inTransaction = false;
  }

  @Override
  public EventLoop eventLoop() {
    return mysqld.loop;
  }

  @Override
  public DnId dn() {
    return mysqld.dn;
  }

  @Override
  public BranchState state() {
    return state;
  }

  @Override
  public long serverConnectionId() {
    return 1;
  }

  @Override
  public boolean alive() {
    return alive;
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    String text =
        command.toString(
            Packets.HEADER + 1,
            command.readableBytes() - Packets.HEADER - 1,
            StandardCharsets.US_ASCII);
    command.release();
    if (!alive) {
      sink.failed(lost());
      return;
    }
    if (reply == ReplyKind.STATUS) {
      ok(sink, inTransaction);
      sink.end(0);
      return;
    }
    for (String statement : text.split(";", reply == ReplyKind.SEVERAL ? -1 : 1)) {
      try {
        List<List<String>> rows = mysqld.execute(this, statement);
        if (!alive) {
          sink.failed(lost());
          return;
        }
        answer(sink, rows, inTransaction);
      } catch (FakeMysqld.Refused refused) {
        ByteBuf err = Unpooled.buffer();
        Packets.writeErr(err, 1, refused.errno, "HY000", String.valueOf(refused.getMessage()));
        sink.packet(PacketKind.ERR, err, 0, err.readableBytes());
        break;
      }
    }
    sink.chunkEnd();
    sink.end(0);
  }

  private static void answer(ReplySink sink, List<List<String>> rows, boolean inTransaction) {
    if (rows.isEmpty()) {
      ok(sink, inTransaction);
      return;
    }
    ByteBuf count = Unpooled.buffer();
    int header = Packets.begin(count, 1);
    Lenenc.write(count, rows.getFirst().size());
    Packets.end(count, header);
    sink.packet(PacketKind.COLUMN_COUNT, count, 0, count.readableBytes());
    for (List<String> row : rows) {
      ByteBuf packet = Unpooled.buffer();
      int start = Packets.begin(packet, 2);
      for (String value : row) {
        Lenenc.writeBytes(packet, value.getBytes(StandardCharsets.US_ASCII));
      }
      Packets.end(packet, start);
      sink.packet(PacketKind.ROW, packet, 0, packet.readableBytes());
    }
    ok(sink, inTransaction);
  }

  private static void ok(ReplySink sink, boolean inTransaction) {
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, 1, new OkPacket(0, 0, inTransaction ? 3 : 2, 0, ""));
    sink.packet(PacketKind.OK, ok, 0, ok.readableBytes());
  }

  private AlraiException lost() {
    return new AlraiException(ErrorCode.CR_SERVER_LOST, "the connection to " + dn() + " broke");
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    command.release();
  }

  @Override
  public void flush() {
    // answered already
  }

  @Override
  public void reading(boolean on) {
    // nothing comes by itself
  }

  @Override
  public boolean writable() {
    return true;
  }

  @Override
  public boolean busy() {
    return false;
  }

  @Override
  public void hold() {}

  @Override
  public void resume() {}

  @Override
  public void release() {
    // the tests hold their branches
  }

  @Override
  public void releaseViewed() {
    release();
  }

  @Override
  public boolean keepsPrepared() {
    return mysqld.keepsPrepared;
  }

  @Override
  public void keep() {
    kept = true;
  }

  @Override
  public void letGo() {
    kept = false;
  }

  @Override
  public boolean inherits() {
    return false;
  }

  @Override
  public void close() {
    alive = false;
    forgetTransaction();
    mysqld.closed(this);
  }
}
