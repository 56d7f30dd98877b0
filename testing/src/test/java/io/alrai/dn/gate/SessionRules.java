package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.testing.history.Level;
import java.util.List;

/**
 * What the sessions of a run are promised, and what their CNs and the agents beside their gates do
 * for it, as predicates, so that tests can break one at a time.
 */
public class SessionRules {
  private final Level level;

  /** The rules for a level. */
  public SessionRules(Level level) {
    this.level = level;
  }

  Level level() {
    return level;
  }

  /** What agents do for the log. */
  public LogRules log() {
    return new LogRules();
  }

  /** How many of the transactions that write read at a snapshot before. */
  double opensViews() {
    return switch (level) {
      case READ_COMMITTED, SERIALIZABLE -> 0;
      case SNAPSHOT -> 0.3;
      case STRICT_SNAPSHOT -> 0.8;
    };
  }

  /** Whether rows that are written are compared with the transaction's snapshot. */
  boolean comparesRows() {
    return level == Level.STRICT_SNAPSHOT;
  }

  /** Whether somebody has changed a row since the snapshot, so that the transaction is undone. */
  boolean conflicts(List<Long> atSnapshot, List<Long> now) {
    return !atSnapshot.equals(now);
  }

  /** Whether the primary's DN is asked what became of a decision whose answer was lost. */
  public boolean asksOutcomes() {
    return false;
  }

  /** How many times as long as usual clients think. */
  public int slowness() {
    return 1;
  }

  /** Whether a CN that is started again has not heard of anybody's clock. */
  public boolean losesClocks() {
    return false;
  }

  /** How many coordinators die when they have decided, though their clients have an answer. */
  public double diesDecided() {
    return 0;
  }

  /** Whether what is compared with the snapshot is locked already. */
  boolean comparesUnderLock() {
    return true;
  }

  /** Where a view is opened on a DN that the transaction comes to late. */
  HlcTimestamp lateView(HlcTimestamp snapshot, HlcTimestamp now) {
    return snapshot;
  }

  /** How many of the transactions that only read do it at replicas. */
  public double readsReplicas() {
    return 0;
  }

  /** How many of these lose a replica in the middle. */
  public double losesReplicas() {
    return 0;
  }

  /** Where the view of a replica that was lost is opened again. */
  public HlcTimestamp reopenedAt(HlcTimestamp snapshot, HlcTimestamp now) {
    return snapshot;
  }

  /** Whether the client restarts its transaction where its snapshot is gone. */
  public boolean restartsWithoutSnapshot() {
    return true;
  }

  /** How many of the transactions that only read come to some DNs late. */
  double comesLate() {
    return level == Level.SNAPSHOT ? 0.3 : 0;
  }

  /**
   * Whether a transaction moves to a later snapshot.
   *
   * @param read what it has read
   * @param again the same at the later snapshot
   */
  boolean mayMove(List<Long> read, List<Long> again) {
    return read.equals(again);
  }

  /** Whether it opens all its views there, also those that it has at its snapshot. */
  boolean allViewsMove() {
    return true;
  }

  /** Whether transactions that write read other rows too, and those that they write. */
  boolean readsBeforeWriting() {
    return level == Level.SERIALIZABLE;
  }

  /** Whether these reads lock. */
  boolean locksReads() {
    return true;
  }

  /** Whether branches that only read keep their locks until the writes are committed. */
  boolean endsReadersLast() {
    return true;
  }

  /** Whether branches that only read are asked at COMMIT if they are still there. */
  boolean asksReaders() {
    return true;
  }

  /** Whether these locks are held until what takes them is stamped above the writes. */
  boolean passesStampToReaders() {
    return true;
  }

  /** Whether what has its tombstone is refused as a transaction to be decided. */
  boolean refusesCondemned() {
    return true;
  }

  /** Whether nodes may be killed. */
  boolean kills() {
    return true;
  }

  /** How many transactions count under a mutex, a row of another DN that they only lock. */
  double mutexes() {
    return 0;
  }

  /** How many transactions copy what they have committed, by a statement without locks. */
  double copies() {
    return 0;
  }

  /** Whether a branch whose writes changed nothing is one that only holds locks. */
  boolean countsChanges() {
    return true;
  }

  /** How often a mysqld undoes a whole transaction with a statement's error. */
  double losesTransactions() {
    return 0;
  }

  /**
   * Whether that is noticed after the error.
   *
   * @param alone whether no other DN has a part of the transaction
   */
  boolean noticesLoss(boolean alone) {
    return true;
  }

  /** Whether a decision is refused on a connection that is in no transaction. */
  boolean decidesInTransactionsOnly() {
    return true;
  }

  /** Whether statements that read current rows without locks wait for their session's commits. */
  boolean awaitsOwnCommits() {
    return true;
  }

  /** How many of a transaction's writes are undone by ROLLBACK TO SAVEPOINT. */
  double undoesWrites() {
    return 0;
  }

  /** Whether a decision that the COMMIT of nothing has not logged gets a row. */
  boolean writesWhatCommitHasNotLogged() {
    return true;
  }

  /** How far beyond the wall time others may push a clock. */
  long mostAheadMillis() {
    return 3_600_000;
  }

  /** Whether some clocks are about as far ahead as that, until somebody sets them right. */
  boolean clocksAstray() {
    return false;
  }

  /** Whether what a clock refuses is not done. */
  boolean refusesClocks() {
    return true;
  }

  /** How often the connection of an XA COMMIT breaks, and it is sent again. */
  double breaksXaCommits() {
    return 0;
  }

  /** Whether an unknown xid is done only if nobody is ending it. */
  boolean asksWhoEnds() {
    return true;
  }
}
