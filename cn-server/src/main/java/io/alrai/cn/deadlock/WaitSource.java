package io.alrai.cn.deadlock;

import io.alrai.common.id.DnId;
import java.util.List;

/** What the detector sees of the mysqlds, and does to them. Blocking, for a second at most. */
interface WaitSource {
  /** The lock waits of all DNs; a DN that does not answer has none. */
  List<LockWait> waits();

  /** Whose the transactions are, of all DNs; a DN that does not answer has none. */
  List<DnParties> parties();

  /** Interrupts what a connection runs; whether that was answered. */
  boolean kill(DnId dn, long connection);
}
