package io.alrai.dn.gate.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.ModelChange;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a group's log.
 *
 * @param by who has written it
 * @param term of the lead, in the entry itself
 * @param reserves up to where the leader of that term may speak
 */
record GroupEntry(ModelLeader by, long term, HlcTimestamp reserves, Body body) {
  /** What is in it. */
  sealed interface Body {
    /**
     * A transaction.
     *
     * @param change all of it, or what the pieces before do not have
     * @param stamp null for what changes no visible row
     */
    record Transaction(int gtid, Arrival arrival, ModelChange change, @Nullable HlcTimestamp stamp)
        implements Body {}

    /** A part of what the next transaction writes. */
    record Piece(Map<Integer, List<Long>> writes) implements Body {}

    /** Other stamps of transactions that were written before. */
    record Stamps(Map<Integer, HlcTimestamp> stamps) implements Body {}

    /** Nothing but a reservation. */
    record Clock(BitSet settled) implements Body {}

    /** A lead begins. */
    record Begin(BitSet settled) implements Body {}
  }
}
