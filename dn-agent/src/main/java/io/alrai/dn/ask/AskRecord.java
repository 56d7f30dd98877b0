package io.alrai.dn.ask;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is sent over a connection for questions, as DATA of the envelope. A text is one byte of
 * length and so many of UTF-8. What a question and an answer say is the affair of the nodes.
 *
 * <pre>
 * length u32 | kind u8 | number u32 | rest
 *
 * from a node to the agent
 *  1 QUESTION    count u16, names of nodes as texts | question   ANSWER or ABSENT of each
 *  2 REPLY       reply, by the number that ASKED had
 *
 * from the agent to a node
 *  3 ASKED       name of the node that asks | question           REPLY
 *  4 ANSWER      name of the node that answers | answer
 *  5 ABSENT      name of a node that has no connection here
 * </pre>
 */
sealed interface AskRecord {
  /** The most bytes of a record. */
  int MOST_BYTES = 16 << 20;

  /** What a record has at least, after its length. */
  int LEAST_BYTES = 5;

  int number();

  record Question(int number, List<String> nodes, byte[] question) implements AskRecord {}

  record Reply(int number, byte[] reply) implements AskRecord {}

  record Asked(int number, String asker, byte[] question) implements AskRecord {}

  record Answer(int number, String node, byte[] answer) implements AskRecord {}

  record Absent(int number, String node) implements AskRecord {}

  /**
   * Takes the next record; null where it has not come whole.
   *
   * @throws AlraiException what is none
   */
  static @Nullable AskRecord next(ByteBuf in) {
    if (in.readableBytes() < Integer.BYTES) {
      return null;
    }
    int length = in.getInt(in.readerIndex());
    if (length < LEAST_BYTES || length > MOST_BYTES) {
      throw malformed(length + " bytes");
    }
    if (in.readableBytes() - Integer.BYTES < length) {
      return null;
    }
    ByteBuf record = in.skipBytes(Integer.BYTES).readSlice(length);
    try {
      return read(record);
    } catch (IndexOutOfBoundsException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private static AskRecord read(ByteBuf in) {
    int kind = in.readUnsignedByte();
    int number = in.readInt();
    return switch (kind) {
      case 1 -> {
        int count = in.readUnsignedShort();
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          nodes.add(text(in));
        }
        yield new Question(number, nodes, rest(in));
      }
      case 2 -> new Reply(number, rest(in));
      case 3 -> new Asked(number, text(in), rest(in));
      case 4 -> new Answer(number, text(in), rest(in));
      case 5 -> new Absent(number, text(in));
      default -> throw malformed("kind " + kind);
    };
  }

  /** Writes a record. */
  static void write(ByteBuf out, AskRecord record) {
    int start = out.writerIndex();
    out.writeInt(0).writeByte(kind(record)).writeInt(record.number());
    switch (record) {
      case Question m -> {
        out.writeShort(m.nodes.size());
        m.nodes.forEach(node -> text(out, node));
        out.writeBytes(m.question);
      }
      case Reply m -> out.writeBytes(m.reply);
      case Asked m -> {
        text(out, m.asker);
        out.writeBytes(m.question);
      }
      case Answer m -> {
        text(out, m.node);
        out.writeBytes(m.answer);
      }
      case Absent m -> text(out, m.node);
    }
    out.setInt(start, out.writerIndex() - start - Integer.BYTES);
  }

  private static int kind(AskRecord record) {
    return switch (record) {
      case Question _ -> 1;
      case Reply _ -> 2;
      case Asked _ -> 3;
      case Answer _ -> 4;
      case Absent _ -> 5;
    };
  }

  private static String text(ByteBuf in) {
    return in.readCharSequence(in.readUnsignedByte(), StandardCharsets.UTF_8).toString();
  }

  private static void text(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeByte(bytes.length).writeBytes(bytes);
  }

  private static byte[] rest(ByteBuf in) {
    byte[] rest = new byte[in.readableBytes()];
    in.readBytes(rest);
    return rest;
  }

  /** A record that its receiver cannot take. */
  static AlraiException malformed(String what) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "a record between nodes is malformed: " + what);
  }
}
