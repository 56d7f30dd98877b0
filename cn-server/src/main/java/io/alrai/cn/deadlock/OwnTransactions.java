package io.alrai.cn.deadlock;

import io.alrai.common.id.TransactionId;
import java.util.Set;

/** This CN's transactions with branches on several DNs, as the detector sees them. Blocking. */
interface OwnTransactions {
  /** Whether there are none. */
  boolean none();

  /** Those that have waited for one statement since the last call. */
  Set<TransactionId> stuck();

  /** Ends what it waits for with error 1213; does nothing where it is not ours or has gone on. */
  void end(TransactionId victim);
}
