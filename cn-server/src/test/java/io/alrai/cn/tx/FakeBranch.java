package io.alrai.cn.tx;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A branch that says OK to every statement when it is flushed, and remembers them all. */
public final class FakeBranch implements Branch {
  private final DnId dn;
  private final EventLoop loop;
  private final BranchState state = new BranchState();
  private final List<ReplySink> waiting = new ArrayList<>();
  public final List<String> statements = new ArrayList<>();

  /** What it says of the reads on it, one after the other; false behind the last. */
  private final Queue<Boolean> disturbances;

  /** A statement that begins so fails. */
  String failing = "none does";

  public boolean released;

  /** Whether it answers nothing for now. */
  boolean silent;

  boolean closed;

  FakeBranch(DnId dn, EventLoop loop, Queue<Boolean> disturbances) {
    this.dn = dn;
    this.loop = loop;
    this.disturbances = disturbances;
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
      waiting.add(sink);
    }
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    command.release();
  }

  @Override
  public void sendFile(ByteBuf packets) {
    packets.release();
  }

  @Override
  public void flush() {
    if (silent) {
      return;
    }
    List<ReplySink> answered = List.copyOf(waiting);
    List<String> asked = statements.subList(statements.size() - answered.size(), statements.size());
    waiting.clear();
    for (int i = 0; i < answered.size(); i++) {
      ReplySink sink = answered.get(i);
      if (closed || asked.get(i).startsWith(failing)) {
        sink.failed(new AlraiException(ErrorCode.CR_SERVER_LOST, "it failed"));
        continue;
      }
      ByteBuf ok = Unpooled.buffer();
      Packets.writeOk(ok, 1, new OkPacket(0, 0, 0, 0, ""));
      sink.packet(PacketKind.OK, ok, 0, ok.readableBytes());
      sink.chunkEnd();
      sink.end(0);
    }
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

  @Override
  public void close() {
    closed = true;
  }
}
