package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.Gtid;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/** The events of a transaction that is too long for one entry, on their way into pieces. */
final class LongTransaction {
  /** Bytes of a piece. */
  static final int PIECE = 1 << 20;

  private final Gtid gtid;
  private final long total;
  private byte[] piece;
  private int filled;
  private long offset;

  LongTransaction(Gtid gtid, long total) {
    this.gtid = gtid;
    this.total = total;
    this.piece = new byte[(int) Math.min(PIECE, total)];
  }

  Gtid gtid() {
    return gtid;
  }

  /** Takes more of its events; gives away what is full. */
  void take(ByteBuf bytes, int start, int length, Consumer<LongTransaction> full) {
    if (offset + filled + length > total) {
      throw new BinlogException("a transaction that is longer than it said");
    }
    int from = start;
    int end = start + length;
    while (from < end) {
      if (filled == piece.length) {
        full.accept(this);
      }
      int now = Math.min(end - from, piece.length - filled);
      bytes.getBytes(from, piece, filled, now);
      filled += now;
      from += now;
    }
  }

  /** Whether all of it was taken. */
  boolean whole() {
    return offset + filled == total;
  }

  /** What was taken since the last piece. */
  GroupEntry.Piece piece(HlcTimestamp reserved, Optional<GroupEntry.Stamped> last) {
    GroupEntry.Piece next =
        new GroupEntry.Piece(
            reserved, gtid, offset, total, last, ByteBuffer.wrap(piece, 0, filled));
    offset += filled;
    filled = 0;
    piece = new byte[(int) Math.min(PIECE, Math.max(0, total - offset))];
    return next;
  }
}
