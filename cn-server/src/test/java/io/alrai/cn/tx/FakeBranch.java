package io.alrai.cn.tx;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.snapshot.ViewEnding;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A branch that gives known rows or says OK when it is flushed, and remembers all texts. It takes
 * several statements only in a text that was sent as one of several, as a mysqld does.
 */
public final class FakeBranch implements Branch {
  private static final Pattern STATEMENT =
      Pattern.compile("(?:[^;'\"`]|'(?:[^'\\\\]|\\\\.)*'|\"[^\"]*\"|`[^`]*`)++");

  private record Sent(String text, ReplyKind kind, ReplySink sink) {}

  private final DnId dn;
  private final EventLoop loop;
  private final BranchState state = new BranchState();
  private final List<Sent> waiting = new ArrayList<>();

  /** One number for each row of what statements give. */
  private final Map<String, List<Integer>> rows;

  public final List<String> statements = new ArrayList<>();

  /** What it says of the reads on it, one after the other; false after the last. */
  private final Queue<Boolean> disturbances;

  /** A statement that begins so fails. */
  public String failing = "none does";

  public boolean released;

  /** Whether it answers nothing for now. */
  public boolean silent;

  /** Whether only it can end what is prepared on it. */
  public boolean keepsPrepared;

  /** Whether its mysqld has rolled its transaction back. */
  public boolean lost;

  public boolean closed;

  /** Whether it comes in a transaction that its last holder left. */
  public boolean viewed;

  public FakeBranch(DnId dn, EventLoop loop, FakeDns dns) {
    this.dn = dn;
    this.loop = loop;
    this.rows = dns.rows;
    this.disturbances = dns.disturbances;
  }

  @Override
  public EventLoop eventLoop() {
    return loop;
  }

  @Override
  public DnId dn() {
    return dn;
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
    return !closed;
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    int text = Packets.HEADER + 1;
    statements.add(command.toString(text, command.readableBytes() - text, StandardCharsets.UTF_8));
    command.release();
    if (closed) {
      sink.failed(new AlraiException(ErrorCode.CR_SERVER_LOST, "closed"));
    } else {
      waiting.add(new Sent(statements.getLast(), reply, sink));
    }
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    command.release();
  }

  @Override
  public void flush() {
    if (silent) {
      return;
    }
    List<Sent> answered = List.copyOf(waiting);
    waiting.clear();
    for (Sent sent : answered) {
      if (closed || sent.text.startsWith(failing)) {
        sent.sink.failed(new AlraiException(ErrorCode.CR_SERVER_LOST, "it failed"));
      } else {
        answer(sent);
      }
    }
  }

  private void answer(Sent sent) {
    ReplySink sink = sent.sink;
    List<String> all = STATEMENT.matcher(sent.text).results().map(MatchResult::group).toList();
    if (all.size() > 1 && sent.kind != ReplyKind.SEVERAL) {
      ByteBuf error = Unpooled.buffer();
      Packets.writeErr(error, 1, ErrorCode.ER_PARSE_ERROR.errno(), "42000", sent.text);
      sink.packet(PacketKind.ERR, error, 0, error.readableBytes());
    } else {
      all.forEach(statement -> answer(statement, sink));
    }
    sink.chunkEnd();
    sink.end(lost ? 0 : ServerStatus.IN_TRANS);
  }

  private void answer(String statement, ReplySink sink) {
    List<Integer> given = rows.get(statement);
    if (given != null) {
      given.forEach(row -> row(row, sink));
    }
    ByteBuf end = Unpooled.buffer();
    Packets.writeOk(end, 1, new OkPacket(0, 0, 0, 0, ""));
    PacketKind kind = given == null ? PacketKind.OK : PacketKind.RESULT_END;
    sink.packet(kind, end, 0, end.readableBytes());
  }

  private static void row(int value, ReplySink sink) {
    ByteBuf packet = Unpooled.buffer().writeMediumLE(Integer.BYTES).writeByte(1).writeInt(value);
    sink.packet(PacketKind.ROW, packet, 0, packet.readableBytes());
  }

  @Override
  public void reading(boolean on) {}

  @Override
  public boolean writable() {
    return true;
  }

  @Override
  public void release() {
    released = true;
  }

  @Override
  public void releaseViewed() {
    ViewEnding.finish(this, Sql.of(BranchControl.COMMIT));
  }

  @Override
  public boolean inherits() {
    boolean was = viewed;
    viewed = false;
    return was;
  }

  @Override
  public boolean keepsPrepared() {
    return keepsPrepared;
  }

  @Override
  public boolean busy() {
    return !waiting.isEmpty();
  }

  @Override
  public void hold() {}

  @Override
  public void resume() {}

  @Override
  public boolean disturbed() {
    return Boolean.TRUE.equals(disturbances.poll());
  }

  /** What waits for an answer fails, as the answers of a real one do. */
  @Override
  public void close() {
    closed = true;
    List<Sent> lost = List.copyOf(waiting);
    waiting.clear();
    lost.forEach(sent -> sent.sink.failed(new AlraiException(ErrorCode.CR_SERVER_LOST, "closed")));
  }
}
