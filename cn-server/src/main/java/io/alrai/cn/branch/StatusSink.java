package io.alrai.cn.branch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for the end of a reply whose content does not matter, only whether it is an error. */
public final class StatusSink implements ReplySink {
  private final Consumer<@Nullable AlraiException> done;
  private @Nullable AlraiException error;

  /** Calls {@code done} once, on the event loop, with null when all went well. */
  public StatusSink(Consumer<@Nullable AlraiException> done) {
    this.done = done;
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
    done.accept(error);
  }

  @Override
  public void failed(AlraiException reason) {
    done.accept(reason);
  }
}
