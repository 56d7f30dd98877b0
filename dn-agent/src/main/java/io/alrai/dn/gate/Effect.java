package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.link.PushAnswer;
import java.util.List;

/** What the gate wants done by the I/O around it, in the order given. */
public sealed interface Effect {
  /**
   * Acknowledge everything up to this position, the exact end of a transaction that has arrived: it
   * becomes visible.
   */
  record Ack(BinlogPosition through) implements Effect {}

  /**
   * The commit that ends there has this stamp: for its reply and for consumers of the stream. Until
   * its Ack it may get another one; the last counts.
   */
  record Stamped(BinlogPosition end, HlcTimestamp stamp) implements Effect {}

  /**
   * These came after their transactions were written, perhaps with other ones: write them where
   * their transactions are, then call {@link Gate#stampsWritten}. Until then nothing from the first
   * of them on is acknowledged.
   *
   * @param number names it
   */
  record WriteStamps(long number, List<Stamped> stamps) implements Effect {
    public WriteStamps {
      stamps = List.copyOf(stamps);
    }
  }

  /**
   * Ask the gate of the transaction's primary ({@link Gate#push}), and bring the answer to {@link
   * Gate#pushAnswered}. Ask again when it is lost, until the OPENs that wait for it are cancelled.
   *
   * @param prepareTs of the branch here; ZERO when it is not known
   * @param above the snapshot
   */
  record Push(DnId primary, TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above)
      implements Effect {}

  /** Answer another DN's push. */
  record AnswerPush(PushId push, PushAnswer answer) implements Effect {}

  /**
   * Find the transaction's final outcome in this DN's own tx_log, with a tombstone if there is
   * none, and bring it to {@link Gate#settled}; ask until it is final.
   */
  record Settle(TransactionId id) implements Effect {}

  /**
   * An XA COMMIT came whose timestamp is not known, because this agent was restarted: ask the
   * primary for the outcome and bring it to {@link Gate#commitTsKnown}. Nothing becomes visible
   * until then.
   */
  record AskCommitTs(TransactionId id) implements Effect {}

  /**
   * Send the primary's tx_log row and COMMIT to the mysqld, on the primary's own connection. When
   * it surely did not commit: {@link Gate#decisionFailed}.
   */
  record SubmitDecision(TransactionId id, HlcTimestamp commitTs) implements Effect {}

  /** The transaction may not be decided any more: roll the primary's branch back. */
  record RefuseDecision(TransactionId id) implements Effect {}

  /**
   * Run XA COMMIT, until it is done. When the mysqld does not know the branch: {@link
   * Gate#branchGone}.
   */
  record SubmitXaCommit(TransactionId id, HlcTimestamp commitTs) implements Effect {}

  /**
   * Wait until everything up to the position is visible, open a view for each of the snapshots,
   * then call {@link Gate#viewsOpened}. Until then nothing after the position becomes visible. If
   * it is not visible within a few milliseconds: {@link Gate#cutStuck} instead.
   *
   * @param cut the number of this cut
   */
  record OpenViews(long cut, BinlogPosition through, List<Snapshot> snapshots) implements Effect {
    public OpenViews {
      snapshots = List.copyOf(snapshots);
    }
  }

  /** The snapshot's view on this DN is open. */
  record Opened(Snapshot snapshot) implements Effect {}

  /**
   * This DN cannot show the snapshot any more.
   *
   * @param hint a snapshot that is not below it would have been possible
   */
  record Refused(Snapshot snapshot, HlcTimestamp hint) implements Effect {}

  /** An OPEN: a view at S was asked for. */
  record Snapshot(OpenId id, HlcTimestamp at) {}
}
