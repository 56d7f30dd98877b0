package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.Map;

/** All that a group has committed, in order, as one member sees it. Thread-safe. */
public interface GroupSource extends FeedSource {
  /**
   * The last stamps of transactions that were written with another one, as far as that is committed
   * now.
   *
   * @param known of these they may be missing
   * @throws io.alrai.dn.binlog.BinlogException when the log cannot be read
   */
  Map<Gtid, HlcTimestamp> restamped(GtidSet known) throws InterruptedException;
}
