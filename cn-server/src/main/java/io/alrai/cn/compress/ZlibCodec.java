package io.alrai.cn.compress;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** zlib (RFC 1950) at its default level. */
final class ZlibCodec implements BlockCodec {
  private static final FastThreadLocal<Deflater> DEFLATERS =
      new FastThreadLocal<>() {
        @Override
        protected Deflater initialValue() {
          return new Deflater();
        }

        @Override
        protected void onRemoval(Deflater deflater) {
          deflater.end();
        }
      };

  private static final FastThreadLocal<Inflater> INFLATERS =
      new FastThreadLocal<>() {
        @Override
        protected Inflater initialValue() {
          return new Inflater();
        }

        @Override
        protected void onRemoval(Inflater inflater) {
          inflater.end();
        }
      };

  @Override
  public boolean compress(ByteBuf block, ByteBuf out) {
    Deflater deflater = DEFLATERS.get();
    deflater.reset();
    deflater.setInput(block.nioBuffer());
    deflater.finish();
    int most = block.readableBytes() - 1;
    out.ensureWritable(most);
    int written = deflater.deflate(out.nioBuffer(out.writerIndex(), most));
    if (!deflater.finished()) {
      return false;
    }
    out.writerIndex(out.writerIndex() + written);
    return true;
  }

  @Override
  public void decompress(ByteBuf block, int length, ByteBuf out) {
    Inflater inflater = INFLATERS.get();
    inflater.reset();
    inflater.setInput(block.nioBuffer());
    int begin = out.writerIndex();
    int written = 0;
    try {
      while (!inflater.finished()) {
        // with room for a byte too many it reads to the end of its input, and checks the sum there
        int room = Math.min(length + 1, BlockCodec.room(block, written)) - written;
        out.ensureWritable(room);
        int more = inflater.inflate(out.nioBuffer(begin + written, room));
        written += more;
        out.writerIndex(begin + written);
        if (written > length || more == 0 && !inflater.finished()) {
          throw CompressedPackets.damaged(null);
        }
      }
    } catch (DataFormatException e) {
      throw CompressedPackets.damaged(e);
    }
    if (written != length || inflater.getRemaining() > 0) {
      throw CompressedPackets.damaged(null);
    }
  }
}
