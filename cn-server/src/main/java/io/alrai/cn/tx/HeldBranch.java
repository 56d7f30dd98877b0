package io.alrai.cn.tx;

import io.alrai.cn.shard.BranchPreparation;
import io.alrai.cn.shard.Commands;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;

/**
 * A branch that stays with its session while that has tables locked: giving it back only ends what
 * {@link #begin} began. START TRANSACTION would release the locks, so autocommit is off instead.
 */
final class HeldBranch implements Branch {
  private final Branch held;
  private boolean begun;

  HeldBranch(Branch held) {
    this.held = held;
  }

  /** Queues what lets the next statements commit together; nothing is flushed. */
  void begin() {
    begun = true;
    autocommit(0);
  }

  /** The branch, to give it back to its pool. */
  Branch held() {
    return held;
  }

  @Override
  public void release() {
    if (begun) {
      begun = false;
      autocommit(1);
      held.flush();
    }
  }

  private void autocommit(int on) {
    held.send(
        Commands.query(ByteBufAllocator.DEFAULT, "SET autocommit=" + on),
        ReplyKind.RESULTS,
        BranchPreparation.guard(held));
  }

  @Override
  public EventLoop eventLoop() {
    return held.eventLoop();
  }

  @Override
  public DnId dn() {
    return held.dn();
  }

  @Override
  public BranchState state() {
    return held.state();
  }

  @Override
  public long serverConnectionId() {
    return held.serverConnectionId();
  }

  @Override
  public boolean alive() {
    return held.alive();
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    held.send(command, reply, sink);
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    held.sendQuietly(command);
  }

  @Override
  public void sendFile(ByteBuf packets) {
    held.sendFile(packets);
  }

  @Override
  public void flush() {
    held.flush();
  }

  @Override
  public void reading(boolean on) {
    held.reading(on);
  }

  @Override
  public boolean writable() {
    return held.writable();
  }

  @Override
  public boolean busy() {
    return held.busy();
  }

  @Override
  public void hold() {
    held.hold();
  }

  @Override
  public void resume() {
    held.resume();
  }

  @Override
  public void close() {
    held.close();
  }
}
