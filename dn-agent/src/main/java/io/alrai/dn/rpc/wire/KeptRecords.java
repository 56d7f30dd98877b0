package io.alrai.dn.rpc.wire;

import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What is asked and answered about kept replies, as DATA of a connection that is for nothing else.
 * Answers come in the order of their questions. A text is one byte of length and so many of UTF-8.
 *
 * <pre>
 * length u16 | kind u8 | rest
 *
 * from the caller
 *  1 ASK         term u64 | shown u64 | read                  FOUND | MISSED | UNWATCHED
 *  2 KEEP        term u64 | shown u64 | read | reply          nothing
 *
 * from the agent
 *  1 FOUND       reply
 *  2 MISSED      place of the log up to which all is visible u64
 *  3 UNWATCHED   nothing: no reply of this table can be found for now
 *
 * read   row u64 | schema, table as texts | count u8, columns as texts | length u16, bytes
 * reply  its packets, each after a byte of its kind
 * </pre>
 */
public final class KeptRecords {
  /** What a record begins with. */
  public static final int HEADER = 3;

  public static final int ASK = 1;
  public static final int KEEP = 2;
  public static final int FOUND = 1;
  public static final int MISSED = 2;
  public static final int UNWATCHED = 3;

  /** The most bytes of a read, or of a reply; a longer one is not asked for, and not kept. */
  public static final int MOST_BYTES = 8_192;

  private KeptRecords() {}

  /** Whether a whole record is there. */
  public static boolean isWhole(ByteBuf in) {
    return in.readableBytes() >= HEADER
        && in.readableBytes() - Short.BYTES >= in.getUnsignedShort(in.readerIndex());
  }

  /** Asks for a read. */
  public static void ask(ByteBuf out, ReplyKey read, long shown, long term) {
    int start = begin(out, ASK);
    read(out, read, shown, term);
    end(out, start);
  }

  /** Lets a reply be kept. */
  public static void keep(
      ByteBuf out, ReplyKey read, long shown, long term, byte[] reply, int length) {
    int start = begin(out, KEEP);
    read(out, read, shown, term);
    out.writeBytes(reply, 0, length);
    end(out, start);
  }

  /** Answers with a reply. */
  public static void found(ByteBuf out, byte[] reply, int length) {
    int start = begin(out, FOUND);
    out.writeBytes(reply, 0, length);
    end(out, start);
  }

  /** Answers that none is known. */
  public static void missed(ByteBuf out, long visible) {
    int start = begin(out, MISSED);
    out.writeLong(visible);
    end(out, start);
  }

  /** Answers that none can be known. */
  public static void unwatched(ByteBuf out) {
    end(out, begin(out, UNWATCHED));
  }

  private static int begin(ByteBuf out, int kind) {
    int start = out.writerIndex();
    out.writeShort(0).writeByte(kind);
    return start;
  }

  private static void end(ByteBuf out, int start) {
    out.setShort(start, out.writerIndex() - start - Short.BYTES);
  }

  private static void read(ByteBuf out, ReplyKey read, long shown, long term) {
    KeyedTable table = read.table();
    out.writeLong(term).writeLong(shown).writeLong(read.row());
    text(out, table.schema());
    text(out, table.table());
    out.writeByte(table.columns().size());
    for (String column : table.columns()) {
      text(out, column);
    }
    out.writeShort(read.length());
    read.copy(out);
  }

  /** Reads what a read is found by. */
  public static void read(ByteBuf in, ReplyKey into) {
    long row = in.readLong();
    String schema = text(in);
    String table = text(in);
    int count = in.readUnsignedByte();
    List<String> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      columns.add(text(in));
    }
    into.begin(new KeyedTable(schema, table, columns), row);
    int length = in.readUnsignedShort();
    into.add(in, in.readerIndex(), length);
    in.skipBytes(length);
    into.seal();
  }

  private static void text(ByteBuf out, String text) {
    int at = out.writerIndex();
    out.writeByte(0);
    out.setByte(at, out.writeCharSequence(text, StandardCharsets.UTF_8));
  }

  private static String text(ByteBuf in) {
    int length = in.readUnsignedByte();
    return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }
}
