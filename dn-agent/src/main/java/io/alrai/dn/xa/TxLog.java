package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.DecisionRow;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.ClientPrepared;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.XaName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * The table alrai.tx_log, for what {@link MarkedDecisions} do not tell: a row with a commit
 * timestamp means committed; a row with 0, the tombstone, means aborted for good; one with {@link
 * ClientPrepared#STAMP} is undecided until its client decides. Thread-safe; futures complete on
 * event loops.
 */
final class TxLog {
  private static final int PARTICIPANTS_BYTES = 1_024;
  private static final int MOST_SWEPT = 1_000;

  private final OwnConnections connections;

  TxLog(OwnConnections connections) {
    this.connections = connections;
  }

  /**
   * A decided transaction.
   *
   * @param participants the DNs of its XA branches
   */
  record Decided(TransactionId id, HlcTimestamp commitTs, List<DnId> participants) {}

  /**
   * The decision: its mark, or its row where a mark has no room for it. It goes in one text with
   * COMMIT, as mysqld stops at the first statement that fails, so that nothing is committed without
   * it.
   */
  static String decision(Optional<String> mark, Decided decided) {
    return mark.orElseGet(() -> insert(decided));
  }

  private static String insert(Decided decided) {
    return "INSERT INTO alrai.tx_log (txid,commit_ts,participants,created) VALUES "
        + row(decided, "");
  }

  private static String row(Decided one, String prefix) {
    return "("
        + XaName.hex(one.id.gtrid())
        + ","
        + one.commitTs.value()
        + ","
        + XaName.hex(prefix + names(one.participants))
        + ",FROM_UNIXTIME("
        + one.commitTs.millis()
        + "/1000))";
  }

  /** Decides with a row alone, of a primary that has changed nothing. */
  CompletableFuture<Answer> write(Decided decided) {
    return connections.run(insert(decided));
  }

  /** Gives rows to what is decided; those that have one keep it. */
  CompletableFuture<Answer> copy(Collection<Decided> decided) {
    StringJoiner rows = new StringJoiner(",");
    decided.forEach(one -> rows.add(row(one, DecisionRow.COPIED)));
    return connections.run(
        "INSERT IGNORE INTO alrai.tx_log (txid,commit_ts,participants,created) VALUES " + rows);
  }

  /** What the log has no more. */
  CompletableFuture<GtidSet> purged() {
    return connections
        .run("SELECT @@GLOBAL.gtid_purged")
        .thenApply(answer -> GtidSet.parse(answer.rows().getFirst().getFirst()));
  }

  /**
   * Whether the mysqld has let go of a connection that is closed on this side: nothing that was
   * sent over it is at work any more.
   */
  CompletableFuture<Boolean> gone(long connection) {
    return connections
        .run("SELECT COUNT(*) FROM information_schema.processlist WHERE id=" + connection)
        .thenApply(answer -> answer.rows().getFirst().getFirst().equals("0"));
  }

  /**
   * Looks whether the row has room for them.
   *
   * @throws AlraiException when there are too many participants
   */
  static void checkParticipants(List<DnId> participants) {
    if (names(participants).length() > PARTICIPANTS_BYTES) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET,
          "a transaction over " + (participants.size() + 1) + " DNs is too large to be logged");
    }
  }

  private static String names(List<DnId> participants) {
    StringJoiner names = new StringJoiner(",");
    participants.forEach(dn -> names.add(dn.name()));
    return names.toString();
  }

  /** What the log says; InDoubt when it has no row. */
  CompletableFuture<Outcome> logged(TransactionId id) {
    return read(id)
        .thenApply(row -> row.isEmpty() ? new Outcome.InDoubt() : outcome(row.get(0).get(0)));
  }

  /**
   * The outcome of a transaction by its row. InDoubt when somebody's decision is still at work in
   * the mysqld.
   *
   * @param rowless what to do without one
   */
  CompletableFuture<Outcome> settle(
      TransactionId id, Supplier<CompletableFuture<Outcome>> rowless) {
    return read(id)
        .thenCompose(row -> {
          if (row.isEmpty()) {
            return rowless.get();
          }
          Outcome outcome = outcome(row.get(0).get(0));
          return outcome instanceof Outcome.InDoubt
              ? settleClients(id)
              : CompletableFuture.completedFuture(outcome);
        });
  }

  /** A decision at work has the row of a client's transaction locked: it replaces it. */
  private CompletableFuture<Outcome> settleClients(TransactionId id) {
    return connections
        .run(select(id) + " FOR UPDATE")
        .<Outcome>thenApply(answer -> {
          if (answer.rows().isEmpty()) {
            return new Outcome.InDoubt();
          }
          Outcome outcome = outcome(answer.rows().get(0).get(0));
          return outcome instanceof Outcome.InDoubt ? new Outcome.Clients() : outcome;
        })
        .exceptionallyCompose(error -> {
          Answer.Failed failed = failed(error);
          return failed.is(ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno())
              ? CompletableFuture.completedFuture(new Outcome.InDoubt())
              : CompletableFuture.failedFuture(failed);
        });
  }

  private static String select(TransactionId id) {
    return "SELECT commit_ts FROM alrai.tx_log WHERE txid=" + XaName.hex(id.gtrid());
  }

  private CompletableFuture<List<List<String>>> read(TransactionId id) {
    return connections.run(select(id)).thenApply(Answer::rows);
  }

  private static Outcome outcome(String commitTs) {
    long value = Long.parseLong(commitTs);
    if (value == ClientPrepared.STAMP) {
      return new Outcome.InDoubt();
    }
    return value == 0 ? new Outcome.RolledBack() : new Outcome.Committed(new HlcTimestamp(value));
  }

  /** Inserts the tombstone of what is not decided and cannot be any more. */
  CompletableFuture<Outcome> bury(TransactionId id) {
    return connections
        .run(
            "INSERT INTO alrai.tx_log (txid,commit_ts,participants,created) VALUES ("
                + XaName.hex(id.gtrid())
                + ",0,'',CURRENT_TIMESTAMP(3))")
        .<Outcome>thenApply(done -> new Outcome.RolledBack())
        .exceptionallyCompose(error -> {
          Answer.Failed failed = failed(error);
          if (failed.is(ErrorCode.ER_DUP_ENTRY.errno())) {
            return logged(id);
          }
          if (failed.is(ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno())) {
            return CompletableFuture.completedFuture(new Outcome.InDoubt());
          }
          return CompletableFuture.failedFuture(failed);
        });
  }

  /** Decided transactions from before a time, oldest names first, at most {@value #MOST_SWEPT}. */
  CompletableFuture<List<Decided>> decidedBefore(long millis) {
    return connections
        .run(
            "SELECT txid,commit_ts,participants FROM alrai.tx_log WHERE commit_ts>"
                + ClientPrepared.STAMP
                + " AND commit_ts<"
                + HlcTimestamp.ofMillis(millis).value()
                + " LIMIT "
                + MOST_SWEPT)
        .thenApply(answer -> answer.rows().stream().map(TxLog::decided).toList());
  }

  private static Decided decided(List<String> row) {
    List<DnId> participants = new ArrayList<>();
    String names = row.get(2);
    int from = names.startsWith(DecisionRow.COPIED) ? DecisionRow.COPIED.length() : 0;
    for (String name : names.substring(from).split(",", -1)) {
      if (!name.isEmpty()) {
        participants.add(new DnId(name));
      }
    }
    return new Decided(
        TransactionId.parse(row.get(0)),
        new HlcTimestamp(Long.parseLong(row.get(1))),
        participants);
  }

  /** Deletes rows of transactions that every participant has finished. */
  CompletableFuture<Answer> delete(Collection<TransactionId> ids) {
    StringJoiner names = new StringJoiner(",");
    ids.forEach(id -> names.add(XaName.hex(id.gtrid())));
    return connections.run("DELETE FROM alrai.tx_log WHERE txid IN (" + names + ")");
  }

  /** Deletes tombstones of that age. */
  CompletableFuture<Answer> deleteTombstones(long ageSeconds) {
    return connections.run(
        "DELETE FROM alrai.tx_log WHERE commit_ts=0 AND created < CURRENT_TIMESTAMP(3) - INTERVAL "
            + ageSeconds
            + " SECOND");
  }

  /** What went wrong, out of a future's wrapping. */
  static Answer.Failed failed(Throwable error) {
    Throwable reason =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (reason instanceof Answer.Failed failed) {
      return failed;
    }
    AlraiException defect =
        reason instanceof AlraiException known
            ? known
            : new AlraiException(
                ErrorCode.ALRAI_INTERNAL, "a statement of the agent failed: " + reason, reason);
    return new Answer.Failed(defect, 0, false);
  }
}
