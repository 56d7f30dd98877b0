package io.alrai.dn.raft;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The first bytes of what Ratis calls an entry: the term in which its writer believed to lead.
 * Where that is not the term in which it was written the entry is void, as its writer has not heard
 * of what came between.
 *
 * <pre>
 *  0      8
 * +------+-------------- - -
 * | term | content
 * +------+-------------- - -
 * </pre>
 */
final class EntryTerm {
  static final int BYTES = Long.BYTES;

  private EntryTerm() {}

  /** Both, without a copy of the content. */
  static Message message(long term, byte[] content) {
    byte[] header = ByteBuffer.allocate(BYTES).putLong(term).array();
    return Message.valueOf(
        UnsafeByteOperations.unsafeWrap(header).concat(UnsafeByteOperations.unsafeWrap(content)));
  }

  /** The content of an entry; empty when it is void, or Ratis' own. */
  static Optional<LogEntry> read(LogEntryProto entry) {
    if (!entry.hasStateMachineLogEntry()) {
      return Optional.empty();
    }
    ByteString data = entry.getStateMachineLogEntry().getLogData();
    if (data.substring(0, BYTES).asReadOnlyByteBuffer().getLong() != entry.getTerm()) {
      return Optional.empty();
    }
    return Optional.of(
        new LogEntry(
            entry.getTerm(), entry.getIndex(), data.substring(BYTES).asReadOnlyByteBuffer()));
  }
}
