package io.alrai.dn.raft;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.group.GroupEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Transactions of a model as they are in a group's log. Stateless. */
final class MembersEntries {
  private static final int BYTES = 8;

  private MembersEntries() {}

  /**
   * One transaction; what it writes is where its connection is.
   *
   * @param pieces 1 for an entry of its own
   */
  static List<GroupEntry> of(VoterRow row, int pieces) {
    GroupEntry.Stamped stamped =
        new GroupEntry.Stamped(
            new BinlogTransaction(
                row.gtid(),
                new BinlogPosition("binlog.000001", BYTES),
                (long) BYTES * pieces,
                true,
                new TransactionKind.Commit(),
                row.value(),
                List.of(),
                Optional.empty()),
            HlcTimestamp.ZERO);
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).asReadOnlyBuffer();
    if (pieces == 1) {
      return List.of(
          new GroupEntry.Transactions(
              HlcTimestamp.ZERO, List.of(new GroupEntry.Written(stamped, bytes))));
    }
    List<GroupEntry> parts = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      parts.add(
          new GroupEntry.Piece(
              HlcTimestamp.ZERO,
              row.gtid(),
              (long) i * BYTES,
              (long) pieces * BYTES,
              i == pieces - 1 ? Optional.of(stamped) : Optional.empty(),
              bytes));
    }
    return parts;
  }
}
