package io.alrai.cn.ask;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What CNs say to each other. Another CN may be older or younger: it answers to a kind of question
 * that it does not know that it does not, a row may have more fields than its reader knows, or
 * fewer, and then these are NULL. Pure.
 *
 * <pre>
 * question   version u8 = 1 | id u64 | kind: length u32, UTF-8 | row
 * answer     version u8 = 1 | status u8 | count u32 | rows
 * row        count u16 | of each field: length i32, -1 for NULL, UTF-8
 * </pre>
 */
final class AskPayload {
  static final int ANSWERED = 0;
  static final int UNKNOWN = 1;
  static final int FAILED = 2;

  private static final int VERSION = 1;

  /**
   * A question.
   *
   * @param id the same however often it is sent
   */
  record Question(long id, String kind, AskRow row) {}

  /**
   * An answer.
   *
   * @param rows of FAILED, one with the reason
   */
  record Answer(int status, List<AskRow> rows) {}

  private AskPayload() {}

  static byte[] write(Question question) {
    ByteBuf out = Unpooled.buffer(256);
    out.writeByte(VERSION).writeLong(question.id);
    text(out, question.kind);
    row(out, question.row);
    return bytes(out);
  }

  static byte[] write(Answer answer) {
    ByteBuf out = Unpooled.buffer(1024);
    out.writeByte(VERSION).writeByte(answer.status).writeInt(answer.rows.size());
    answer.rows.forEach(row -> row(out, row));
    return bytes(out);
  }

  /** Empty for what cannot be read. */
  static Optional<Question> question(byte[] bytes) {
    try {
      ByteBuf in = Unpooled.wrappedBuffer(bytes);
      if (in.readUnsignedByte() != VERSION) {
        return Optional.empty();
      }
      return Optional.of(new Question(in.readLong(), text(in, in.readInt()), row(in)));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** UNKNOWN for what cannot be read. */
  static Answer answer(byte[] bytes) {
    try {
      ByteBuf in = Unpooled.wrappedBuffer(bytes);
      if (in.readUnsignedByte() != VERSION) {
        return new Answer(UNKNOWN, List.of());
      }
      int status = in.readUnsignedByte();
      int count = in.readInt();
      List<AskRow> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        rows.add(row(in));
      }
      return new Answer(status, rows);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return new Answer(UNKNOWN, List.of());
    }
  }

  private static void row(ByteBuf out, AskRow row) {
    out.writeShort(row.fields().size());
    for (String field : row.fields()) {
      if (field == null) {
        out.writeInt(-1);
      } else {
        text(out, field);
      }
    }
  }

  private static AskRow row(ByteBuf in) {
    int count = in.readUnsignedShort();
    List<@Nullable String> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = in.readInt();
      fields.add(length < 0 ? null : text(in, length));
    }
    return new AskRow(fields);
  }

  private static void text(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length).writeBytes(bytes);
  }

  private static String text(ByteBuf in, int length) {
    return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }

  private static byte[] bytes(ByteBuf out) {
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }
}
