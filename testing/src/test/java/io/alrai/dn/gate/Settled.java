package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;

/** What became of a transaction, with the timestamp if it committed. */
record Settled(Outcome outcome, HlcTimestamp commitTs) {
  enum Outcome {
    COMMITTED,
    ABORTED,
    IN_DOUBT
  }
}
