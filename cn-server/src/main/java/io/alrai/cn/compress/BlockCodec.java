package io.alrai.cn.compress;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;

/**
 * Compresses blocks, each by itself. Keeps nothing for a connection: what the algorithms need is
 * the thread's. Event loop only; all buffers are direct.
 */
interface BlockCodec {
  /** Bytes that a result gets room for in any case. */
  int LEAST_ROOM = 16 << 10;

  /**
   * Appends a block in less bytes than it has.
   *
   * @param block left as it is
   * @return false, with {@code out} as it was, where that cannot be done
   */
  boolean compress(ByteBuf block, ByteBuf out);

  /**
   * Appends what was compressed.
   *
   * @param block left as it is
   * @param length of the result, at least 1
   * @throws AlraiException 1157 when it is of another length, or damaged
   */
  void decompress(ByteBuf block, int length, ByteBuf out);

  /**
   * How much room a result gets that has so many bytes by now: what a frame says of its length is
   * the client's word, so memory follows what really comes, in steps that double.
   */
  static int room(ByteBuf block, int written) {
    return Math.max(Math.max(LEAST_ROOM, 4 * block.readableBytes()), 2 * written);
  }
}
