package io.alrai.cn.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;

/** zstd (RFC 8878). */
final class ZstdCodec implements BlockCodec {
  private static final FastThreadLocal<ZstdCompressCtx> COMPRESSORS =
      new FastThreadLocal<>() {
        @Override
        protected ZstdCompressCtx initialValue() {
          return new ZstdCompressCtx();
        }

        @Override
        protected void onRemoval(ZstdCompressCtx compressor) {
          compressor.close();
        }
      };

  private static final FastThreadLocal<ZstdDecompressCtx> DECOMPRESSORS =
      new FastThreadLocal<>() {
        @Override
        protected ZstdDecompressCtx initialValue() {
          return new ZstdDecompressCtx();
        }

        @Override
        protected void onRemoval(ZstdDecompressCtx decompressor) {
          decompressor.close();
        }
      };

  private final int level;

  ZstdCodec(int level) {
    this.level = level;
  }

  @Override
  public boolean compress(ByteBuf block, ByteBuf out) {
    int size = block.readableBytes();
    int most = (int) Zstd.compressBound(size);
    out.ensureWritable(most);
    ByteBuffer to = out.nioBuffer(out.writerIndex(), most);
    ByteBuffer from = block.nioBuffer();
    int written =
        COMPRESSORS
            .get()
            .setLevel(level)
            .compressDirectByteBuffer(to, 0, most, from, from.position(), size);
    if (written >= size) {
      return false;
    }
    out.writerIndex(out.writerIndex() + written);
    return true;
  }

  @Override
  public void decompress(ByteBuf block, int length, ByteBuf out) {
    ZstdDecompressCtx decompressor = DECOMPRESSORS.get();
    decompressor.reset();
    ByteBuffer from = block.nioBuffer();
    int begin = out.writerIndex();
    int written = 0;
    boolean finished = false;
    try {
      while (!finished) {
        // room for a byte too many shows one that is longer
        int room = Math.min(length + 1, BlockCodec.room(block, written)) - written;
        out.ensureWritable(room);
        ByteBuffer to = out.nioBuffer(begin + written, room);
        finished = decompressor.decompressDirectByteBufferStream(to, from);
        int more = room - to.remaining();
        written += more;
        out.writerIndex(begin + written);
        if (written > length || more == 0 && !finished) {
          throw CompressedPackets.damaged(null);
        }
      }
    } catch (ZstdException e) {
      throw CompressedPackets.damaged(e);
    }
    if (written != length || from.hasRemaining()) {
      throw CompressedPackets.damaged(null);
    }
  }
}
