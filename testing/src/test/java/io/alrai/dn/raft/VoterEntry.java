package io.alrai.dn.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One place of a model's log.
 *
 * @param content as it is in a group's log; null for configurations
 * @param ends transactions of which it is the last part
 * @param parts entries that they take, this one too
 * @param ballot who votes from here on; null where that does not change
 */
record VoterEntry(
    long term, byte @Nullable [] content, List<VoterRow> ends, int parts, @Nullable Ballot ballot) {
  static VoterEntry of(long term, Ballot ballot) {
    return new VoterEntry(term, null, List.of(), 1, ballot);
  }
}
