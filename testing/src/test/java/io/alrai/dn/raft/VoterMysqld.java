package io.alrai.dn.raft;

import io.alrai.dn.binlog.GtidSet;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The mysqld of a model's member: what is in it, and what of that it may lose. */
final class VoterMysqld {
  /**
   * What another one is to be.
   *
   * @param executed what it says of itself
   */
  record Copy(List<VoterRow> rows, GtidSet executed) {}

  private final MembersRun run;
  private final Voter voter;

  // On disk:
  private List<VoterRow> rows = new ArrayList<>();
  private GtidSet executed = new GtidSet();
  private int flushed;
  private UUID uuid;
  private @Nullable Copy cloned;

  private int life = 1;
  private boolean runs = true;

  VoterMysqld(MembersRun run, Voter voter) {
    this.run = run;
    this.voter = voter;
    this.uuid = run.uuid();
  }

  List<VoterRow> rows() {
    return rows;
  }

  GtidSet executed() {
    return executed;
  }

  UUID uuid() {
    return uuid;
  }

  /** 0 while it does not run. */
  int life() {
    return runs ? life : 0;
  }

  void apply(VoterRow row) {
    run.checks.applies(voter, rows, row);
    rows.add(row);
    executed.add(row.gtid());
  }

  void flush() {
    flushed = rows.size();
  }

  /** It begins again soon, without any part of what was not flushed. */
  void kill() {
    if (!runs) {
      return;
    }
    runs = false;
    life++;
    int left = (int) run.world.between(flushed, rows.size());
    for (VoterRow lost : rows.subList(left, rows.size())) {
      executed = executed.without(GtidSet.parse(lost.gtid().toString()));
    }
    rows = new ArrayList<>(rows.subList(0, left));
    flushed = left;
    if (voter.up()) {
      voter.later(run.world.between(3_000, 12_000), this::start);
    }
  }

  /** Its data directory is deleted. */
  void empty() {
    rows = new ArrayList<>();
    executed = new GtidSet();
    flushed = 0;
    uuid = run.uuid();
    kill();
  }

  Copy copy() {
    return new Copy(List.copyOf(rows), executed.copy());
  }

  /** What it starts with next. */
  void replace(Copy by) {
    cloned = by;
  }

  void start() {
    Copy next = cloned;
    cloned = null;
    if (next != null) {
      rows = new ArrayList<>(next.rows());
      executed = next.executed();
      flushed = rows.size();
      uuid = run.uuid();
    }
    runs = true;
  }
}
