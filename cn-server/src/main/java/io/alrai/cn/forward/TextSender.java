package io.alrai.cn.forward;

import io.alrai.cn.branch.Commands;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends one command, as often as it has to be sent. */
public final class TextSender implements ForwardSender {
  private final ByteBuf command;
  private final @Nullable Consumer<AlraiException> again;

  /**
   * Takes the buffer.
   *
   * @param again runs the statement again; null where it cannot
   */
  public TextSender(ByteBuf command, @Nullable Consumer<AlraiException> again) {
    this.command = command;
    this.again = again;
  }

  @Override
  public boolean runsAgain() {
    return again != null;
  }

  @Override
  public void again(AlraiException error) {
    Consumer<AlraiException> known = again;
    if (known != null) {
      known.accept(error);
    }
  }

  @Override
  public void send(Branch branch, ReplySink reply) {
    branch.send(command.retainedDuplicate(), ReplyKind.RESULTS, reply);
    branch.flush();
  }

  @Override
  public boolean sendsText() {
    return command.readableBytes() < Commands.SMALL;
  }

  @Override
  public void over() {
    command.release();
  }
}
