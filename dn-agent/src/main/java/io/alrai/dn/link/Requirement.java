package io.alrai.dn.link;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the replies of commands without which a branch is of no use, one after the other. Event
 * loop only.
 */
public final class Requirement implements ReplySink {
  private final Runnable met;
  private final Consumer<AlraiException> failed;
  private @Nullable AlraiException error;

  /**
   * A sink that can be used again.
   *
   * @param met runs after each that succeeded
   * @param failed called with the error of the first that did not; none follows it
   */
  public Requirement(Runnable met, Consumer<AlraiException> failed) {
    this.met = met;
    this.failed = failed;
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (kind == PacketKind.ERR) {
      error = ErrPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER).toException();
    }
  }

  @Override
  public void chunkEnd() {}

  @Override
  public void end(int status) {
    AlraiException said = error;
    if (said == null) {
      met.run();
    } else {
      failed.accept(said);
    }
  }

  @Override
  public void failed(AlraiException reason) {
    failed.accept(reason);
  }
}
