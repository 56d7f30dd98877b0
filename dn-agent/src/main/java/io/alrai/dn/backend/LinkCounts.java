package io.alrai.dn.backend;

import io.alrai.common.metrics.Latency;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a link counts over the loops that it is used on. Thread-safe.
 *
 * @param open connections now, busy and idle
 * @param unfit those that could serve nobody else
 * @param lostReplies those whose reply would never come
 * @param waits for a connection, of requests that found no idle one
 */
record LinkCounts(AtomicInteger open, UnfitCounts unfit, LongAdder lostReplies, Latency waits) {
  LinkCounts() {
    this(new AtomicInteger(), new UnfitCounts(), new LongAdder(), new Latency());
  }
}
