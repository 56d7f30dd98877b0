package io.alrai.dn.backend;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;

/**
 * Whether the mysqld at the end of a connection takes more than one statement in a text: only where
 * Alrai has put them together. Event loop only.
 */
public final class SecondStatements {
  private static final byte[] ON = {0, 0};
  private static final byte[] OFF = {1, 0};

  private final Channel channel;
  private final ReplyQueue replies;
  private final Runnable close;
  private boolean taken = true;

  /** As after a login that asks for it. */
  SecondStatements(Channel channel, ReplyQueue replies, Runnable close) {
    this.channel = channel;
    this.replies = replies;
    this.close = close;
  }

  /** The login has not asked for it. */
  public void notAskedFor() {
    taken = false;
  }

  /** Whether they are taken from the next command on. */
  public boolean areTaken() {
    return taken;
  }

  /** A command is about to be written. */
  void before(ByteBuf command, ReplyKind reply) {
    if (reply == ReplyKind.SEVERAL ? !taken : taken && Semicolons.mayFollow(command)) {
      tell(!taken);
    }
  }

  /** Has them taken by who speaks on the connection next, not over this branch. */
  public CompletableFuture<Answer> take() {
    CompletableFuture<Answer> told = tell(true);
    channel.flush();
    return told;
  }

  /** Goes with what follows. */
  private CompletableFuture<Answer> tell(boolean on) {
    taken = on;
    ByteBuf option = channel.alloc().buffer(Packets.HEADER + ON.length + 1);
    Packets.writeCommand(option, Command.SET_OPTION, on ? ON : OFF);
    CompletableFuture<Answer> told = Answer.orElse(close);
    replies.add(option, ReplyKind.STATUS, Answer.sink(told));
    channel.write(option, channel.voidPromise());
    return told;
  }
}
