package io.alrai.dn.gate.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.ModelChange;
import io.alrai.dn.gate.group.GroupEntry.Body;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What somebody who reads a group's log knows. */
final class LogReader {
  /** A transaction of the log. */
  static final class Logged {
    final int index;
    final int gtid;
    final Arrival arrival;
    final ModelChange change;

    /** The last one of the log. */
    @Nullable HlcTimestamp stamp;

    Logged(int index, Body.Transaction transaction, ModelChange change) {
      this.index = index;
      this.gtid = transaction.gtid();
      this.arrival = transaction.arrival();
      this.change = change;
      this.stamp = transaction.stamp();
    }

    @Override
    public String toString() {
      return gtid + " at " + index + " stamped " + stamp + ": " + arrival + " " + change;
    }
  }

  private final GroupRules rules;
  final List<Logged> logged = new ArrayList<>();
  private final Map<Integer, Logged> byGtid = new HashMap<>();
  private final Map<Integer, List<Long>> pieces = new HashMap<>();
  private BitSet settled = new BitSet();
  private int settledAt;
  private HlcTimestamp reserved = HlcTimestamp.ZERO;
  private int reservedAt;
  private int last;
  private int lastWritten;

  /** Of what reads nothing could become: the same name twice. */
  final List<String> faults = new ArrayList<>();

  LogReader(GroupRules rules) {
    this.rules = rules;
  }

  @Nullable Logged find(int gtid) {
    return byGtid.get(gtid);
  }

  /** The transactions whose decisions nobody will ask the log for. */
  BitSet settled() {
    return settled;
  }

  /** The entry that says which those are; 0 where none has come yet. */
  int settledAt() {
    return settledAt;
  }

  /** The highest reservation. */
  HlcTimestamp reserved() {
    return reserved;
  }

  /** The entry that has it. */
  int reservedAt() {
    return reservedAt;
  }

  /** The last entry of which nothing is missing; with none after it that belongs to it. */
  int last() {
    return pieces.isEmpty() ? last : 0;
  }

  /** The last entry with a transaction or a stamp. */
  int lastWritten() {
    return lastWritten;
  }

  /** The next entry. */
  void take(long term, int index, GroupEntry entry) {
    last = index;
    if (rules.voidsOtherTerms() && entry.term() != term) {
      return;
    }
    if (entry.reserves().compareTo(reserved) > 0) {
      reserved = entry.reserves();
      reservedAt = index;
    }
    if (!(entry.body() instanceof Body.Clock)) {
      lastWritten = index;
    }
    switch (entry.body()) {
      case Body.Transaction transaction -> take(index, transaction);
      case Body.Piece piece -> add(piece.writes(), pieces);
      case Body.Stamps stamps ->
          stamps
              .stamps()
              .forEach((gtid, stamp) -> {
                Logged of = byGtid.get(gtid);
                if (of != null) {
                  of.stamp = stamp;
                }
              });
      case Body.Clock clock -> {
        settled = clock.settled();
        settledAt = index;
      }
      case Body.Begin begin -> {
        settled = begin.settled();
        settledAt = index;
        if (rules.dropsPiecesOfOthers()) {
          pieces.clear();
        }
      }
    }
  }

  private void take(int index, Body.Transaction transaction) {
    ModelChange change = transaction.change();
    if (!pieces.isEmpty()) {
      Map<Integer, List<Long>> writes = new HashMap<>();
      add(pieces, writes);
      add(change.writes(), writes);
      pieces.clear();
      change = new ModelChange(writes, change.branch(), change.rows());
    }
    Logged now = new Logged(index, transaction, change);
    if (byGtid.put(now.gtid, now) != null) {
      faults.add("twice in the log: " + now);
    }
    logged.add(now);
  }

  private static void add(Map<Integer, List<Long>> from, Map<Integer, List<Long>> to) {
    from.forEach((key, values) -> to.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values));
  }
}
