package io.alrai.dn.rpc.wire;

import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked and answered about kept replies, as DATA of a connection that is for nothing else.
 * Answers come in the order of their questions and carry their numbers. A text is one byte of
 * length and so many of UTF-8.
 *
 * <pre>
 * length u16 | kind u8 | rest
 *
 * from the caller
 *  1 ASK         number u32 | term u64 | shown u64 | read      one of the agent's
 *  2 KEEP        term u64 | shown u64 | read | reply           nothing
 *
 * from the agent: number u32 | place of the log up to which all is visible u64 | rest
 *  1 FOUND       reply
 *  2 MISSED      none is kept
 *  3 UNWATCHED   no reply of this table can be found until it is watched
 *  4 NOT_NOW     none can be found now, which says nothing about the row
 *
 * read   row u64 | schema, table as texts | count u8, columns as texts | length u16, bytes
 * reply  its packets, each after a byte of its kind
 * </pre>
 *
 * A caller finds what others let be kept. So the layout of a read's bytes and of a reply, which
 * only callers know, is part of {@link EnvelopeVersions#NEWEST} like everything else here: no
 * change without another version.
 */
public final class KeptRecords {
  /** What a record begins with. */
  public static final int HEADER = 3;

  public static final int ASK = 1;
  public static final int KEEP = 2;
  public static final int FOUND = 1;
  public static final int MISSED = 2;
  public static final int UNWATCHED = 3;
  public static final int NOT_NOW = 4;

  /** What an answer has before its reply. */
  public static final int ANSWER = 1 + Integer.BYTES + Long.BYTES;

  /** The most bytes of a read, or of a reply; a longer one is not asked for, and not kept. */
  public static final int MOST_BYTES = 8_192;

  private KeptRecords() {}

  /** Takes the next record, without its length; null where it has not come whole. */
  public static @Nullable ByteBuf next(ByteBuf in) {
    boolean whole =
        in.readableBytes() >= HEADER
            && in.readableBytes() - Short.BYTES >= in.getUnsignedShort(in.readerIndex());
    return whole ? in.readSlice(in.readUnsignedShort()) : null;
  }

  /** Asks for a read. */
  public static void ask(ByteBuf out, int number, ReplyKey read, long shown, long term) {
    int start = begin(out, ASK);
    out.writeInt(number);
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
  public static void found(ByteBuf out, int number, long visible, byte[] reply, int length) {
    int start = begin(out, FOUND);
    out.writeInt(number).writeLong(visible);
    out.writeBytes(reply, 0, length);
    end(out, start);
  }

  /** Answers that there is none, by one of the other kinds. */
  public static void none(ByteBuf out, int kind, int number, long visible) {
    int start = begin(out, kind);
    out.writeInt(number).writeLong(visible);
    end(out, start);
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
    int length = out.writeCharSequence(text, StandardCharsets.UTF_8);
    if (length > 0xff) {
      throw new IllegalArgumentException("a name of " + length + " bytes");
    }
    out.setByte(at, length);
  }

  private static String text(ByteBuf in) {
    int length = in.readUnsignedByte();
    return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }
}
