package io.alrai.cn.snapshot;

import io.alrai.cn.branch.BranchControl;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/** A branch that does what another one does. */
public abstract class ForwardingBranch implements Branch {
  private final Branch branch;

  public ForwardingBranch(Branch branch) {
    this.branch = branch;
  }

  @Override
  public void sendFile(ByteBuf packets) {
    branch.sendFile(packets);
  }

  @Override
  public void release() {
    branch.release();
  }

  @Override
  public void releaseViewed() {
    ViewEnding.finish(this, Sql.of(BranchControl.COMMIT));
  }

  @Override
  public boolean keepsPrepared() {
    return branch.keepsPrepared();
  }

  @Override
  public void keep() {
    branch.keep();
  }

  @Override
  public void letGo() {
    branch.letGo();
  }

  @Override
  public boolean inherits() {
    return branch.inherits();
  }

  @Override
  public void watch() {
    branch.watch();
  }

  @Override
  public boolean disturbed() {
    return branch.disturbed();
  }

  @Override
  public EventLoop eventLoop() {
    return branch.eventLoop();
  }

  @Override
  public DnId dn() {
    return branch.dn();
  }

  @Override
  public BranchState state() {
    return branch.state();
  }

  @Override
  public long serverConnectionId() {
    return branch.serverConnectionId();
  }

  @Override
  public boolean alive() {
    return branch.alive();
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    branch.send(command, reply, sink);
  }

  @Override
  public void require(ByteBuf command, ReplyKind reply) {
    branch.require(command, reply);
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    branch.sendQuietly(command);
  }

  @Override
  public void flush() {
    branch.flush();
  }

  @Override
  public void reading(boolean on) {
    branch.reading(on);
  }

  @Override
  public boolean writable() {
    return branch.writable();
  }

  @Override
  public boolean busy() {
    return branch.busy();
  }

  @Override
  public void hold() {
    branch.hold();
  }

  @Override
  public void resume() {
    branch.resume();
  }

  @Override
  public void close() {
    branch.close();
  }

  @Override
  public void interrupt() {
    branch.interrupt();
  }
}
