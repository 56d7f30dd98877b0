package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupEntry.Stamped;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GroupViewTest {
  private static final int BYTES = 4;

  private final BinlogTransaction one = MadeTransactions.of(new UUID(1, 2), 7, 7);
  private final GroupView view = new GroupView("b", new DeafListener(), () -> 0);

  private void commit(long at, GroupEntry entry) {
    view.committed(1, at, ByteBuffer.wrap(EntryCodec.encode(entry)));
  }

  private GroupEntry piece(long offset) {
    return new GroupEntry.Piece(
        HlcTimestamp.ZERO,
        one.gtid(),
        offset,
        2 * BYTES,
        offset == 0 ? Optional.empty() : Optional.of(new Stamped(one, HlcTimestamp.ZERO)),
        ByteBuffer.allocate(BYTES));
  }

  @Test
  void aTransactionInPiecesComesWithItsLastOne() {
    commit(4, piece(0));
    assertEquals(new GtidSet(), view.progress().transactions());
    assertEquals(3, view.progress().index());
    commit(5, piece(BYTES));
    assertTrue(view.progress().transactions().contains(one.gtid()));
    assertEquals(5, view.progress().index());
  }

  /** Nobody has the first ones any more: the transaction is not in this log. */
  @Test
  void theLastPiecesOfOneAreNotOne() {
    view.skipped(4);
    commit(5, piece(BYTES));
    GtidSet settled = GtidSet.parse(one.gtid().toString());
    commit(6, new GroupEntry.Clock(HlcTimestamp.ZERO, settled));
    assertEquals(new GtidSet(), view.progress().transactions());
    assertTrue(MissingRows.of(new GtidSet(), view.progress(), new GtidSet()).isPresent());
  }
}
