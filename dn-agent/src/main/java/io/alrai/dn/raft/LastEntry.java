package io.alrai.dn.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * What a log ends with, committed or not.
 *
 * @param term 0 where there is none
 * @param index -1 where there is none
 */
public record LastEntry(long term, long index) {
  /** What an empty log ends with. */
  public static final LastEntry NONE = new LastEntry(0, -1);

  /** Asks for it. */
  static final Message QUESTION = Message.valueOf("last");

  static LastEntry of(TermIndex entry) {
    return entry.getIndex() < 0 ? NONE : new LastEntry(entry.getTerm(), entry.getIndex());
  }

  static boolean asks(Message question) {
    return question.getContent().equals(QUESTION.getContent());
  }

  Message message() {
    return Message.valueOf(
        UnsafeByteOperations.unsafeWrap(
            ByteBuffer.allocate(2 * Long.BYTES).putLong(term).putLong(index).array()));
  }

  static LastEntry read(ByteString answer) throws IOException {
    if (answer.size() != 2 * Long.BYTES) {
      throw new IOException("no last entry in " + answer.size() + " bytes");
    }
    ByteBuffer bytes = answer.asReadOnlyByteBuffer();
    return new LastEntry(bytes.getLong(), bytes.getLong());
  }

  /** Whether a log that ends with this has more than one that ends with the other. */
  public boolean isAfter(LastEntry other) {
    return term != other.term ? term > other.term : index > other.index;
  }
}
