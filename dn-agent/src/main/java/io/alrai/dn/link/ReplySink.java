package io.alrai.dn.link;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.PacketKind;
import io.netty.buffer.ByteBuf;

/** Takes the packets of one reply as they arrive. Called on the branch's event loop only. */
public interface ReplySink {
  /**
   * One whole packet. The bytes may be changed in place; they are valid until {@link #chunkEnd}
   * returns unless retained.
   *
   * @param header index of the packet's 4-byte header
   * @param length of the packet, header included
   */
  void packet(PacketKind kind, ByteBuf buf, int header, int length);

  /** The packets given since the last call leave memory now. */
  void chunkEnd();

  /**
   * The reply is complete; comes after the last {@link #chunkEnd}.
   *
   * @param status flags of the last OK or RESULT_END; 0 after an error
   */
  void end(int status);

  /** The connection broke or was closed before the reply was complete; nothing comes after. */
  void failed(AlraiException reason);
}
