package io.alrai.dn.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** What a cache asks for, so that it can keep and find more. */
class RowCacheTest {
  private static final KeyedTable TABLE = new KeyedTable("d_p00000", "t", List.of("id"));
  private static final TableName NAME = new TableName("d_p00000", "t");

  private final List<String> wants = new ArrayList<>();
  private final ReplyKey read = new ReplyKey();
  private final byte[] reply = new byte[64];
  private final RowCache cache =
      new RowCache(
          LoggedRows.end(1).ordinal(),
          new RowCache.Wants() {
            @Override
            public void watched(KeyedTable table) {
              wants.add("watch " + table.table());
            }

            @Override
            public void laterVisible() {
              wants.add("later");
            }
          },
          new LongAdder());

  private int find() {
    read.begin(TABLE, KeyedTable.rowHash(TABLE.rowHash(), 1));
    read.add("SELECT v FROM t WHERE id = 1");
    read.seal();
    return cache.find(read, KeptReplies.CURRENT, reply);
  }

  private void watch() {
    cache.watch(TABLE, cache.statements().orElseThrow());
  }

  @Test
  void whoFindsNothingOfATableThatIsNotWatchedAsksForThatOnce() {
    assertEquals(KeptReplies.UNWATCHED, find());
    assertEquals(KeptReplies.UNWATCHED, find());
    assertEquals(List.of("watch t"), wants);
    watch();
    assertEquals(KeptReplies.MISSED, find());
    assertEquals(List.of("watch t"), wants);
    cache.arrived(LoggedRows.of(2, new TransactionKind.Statement()));
    assertEquals(KeptReplies.UNWATCHED, find());
    assertEquals(List.of("watch t", "watch t"), wants);
  }

  @Test
  void whoFindsNothingOfARowThatWasWrittenAsksWhetherThatIsVisible() {
    watch();
    assertEquals(KeptReplies.MISSED, find());
    assertEquals(List.of(), wants);
    cache.arrived(LoggedRows.update(2, new TransactionKind.Commit(), NAME, 1, List.of(1)));
    assertEquals(KeptReplies.MISSED, find());
    assertEquals(List.of("later"), wants);
    cache.visible(LoggedRows.end(2).ordinal());
    assertEquals(KeptReplies.MISSED, find());
    assertEquals(List.of("later"), wants);
    cache.keep(read, cache.visible(), new byte[] {1, 2}, 2);
    assertEquals(2, find());
  }
}
