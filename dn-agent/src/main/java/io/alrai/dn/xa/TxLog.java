package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
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
 * The table alrai.tx_log, for what {@link MarkedDecisions} do not know: a row with a commit
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
  static Sql decision(Optional<Sql> mark, Decided decided) {
    return mark.orElseGet(() -> insert(decided));
  }

  private static Sql insert(Decided decided) {
    return Sql.of("INSERT INTO alrai.tx_log (txid,commit_ts,participants,created) VALUES ")
        .add(row(decided, ""));
  }

  private static Sql row(Decided one, String prefix) {
    return Sql.of("(")
        .add(XaName.bytes(one.id.gtrid()))
        .words(",")
        .number(one.commitTs.value())
        .words(",")
        .add(XaName.bytes(prefix + names(one.participants)))
        .words(",FROM_UNIXTIME(")
        .number(one.commitTs.millis())
        .words("/1000))");
  }

  /** Decides by a row alone, for a primary that has changed nothing. */
  CompletableFuture<Answer> write(Decided decided) {
    return connections.run(insert(decided));
  }

  /** Gives rows to what is decided; those that have one keep it. */
  CompletableFuture<Answer> copy(Collection<Decided> decided) {
    List<Sql> rows = decided.stream().map(one -> row(one, DecisionRow.COPIED)).toList();
    return connections.run(
        Sql.of("INSERT IGNORE INTO alrai.tx_log (txid,commit_ts,participants,created) VALUES ")
            .add(Sql.join(",", rows)));
  }

  /** The GTIDs that the log no longer has. */
  CompletableFuture<GtidSet> purged() {
    return connections
        .run(Sql.of("SELECT @@GLOBAL.gtid_purged"))
        .thenApply(answer -> GtidSet.parse(answer.rows().getFirst().getFirst()));
  }

  /**
   * Whether the mysqld has closed a connection that is closed on this side, so that nothing that
   * was sent over it is at work any more.
   */
  CompletableFuture<Boolean> gone(long connection) {
    return connections
        .run(
            Sql.of("SELECT COUNT(*) FROM information_schema.processlist WHERE id=")
                .number(connection))
        .thenApply(answer -> answer.rows().getFirst().getFirst().equals("0"));
  }

  /**
   * Checks that the row has room for them.
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
        .run(select(id).words(" FOR UPDATE"))
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

  private static Sql select(TransactionId id) {
    return Sql.of("SELECT commit_ts FROM alrai.tx_log WHERE txid=").add(XaName.bytes(id.gtrid()));
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
            Sql.of("INSERT INTO alrai.tx_log (txid,commit_ts,participants,created) VALUES (")
                .add(XaName.bytes(id.gtrid()))
                .words(",0,'',CURRENT_TIMESTAMP(3))"))
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
            Sql.of("SELECT txid,commit_ts,participants FROM alrai.tx_log WHERE commit_ts>")
                .number(ClientPrepared.STAMP)
                .words(" AND commit_ts<")
                .number(HlcTimestamp.ofMillis(millis).value())
                .words(" LIMIT ")
                .number(MOST_SWEPT))
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
    List<Sql> names = ids.stream().map(id -> XaName.bytes(id.gtrid())).toList();
    return connections.run(
        Sql.of("DELETE FROM alrai.tx_log WHERE txid IN (").add(Sql.join(",", names)).words(")"));
  }

  /** Deletes tombstones of that age. */
  CompletableFuture<Answer> deleteTombstones(long ageSeconds) {
    return connections.run(
        Sql.of(
                "DELETE FROM alrai.tx_log WHERE commit_ts=0 AND created < CURRENT_TIMESTAMP(3)"
                    + " - INTERVAL ")
            .number(ageSeconds)
            .words(" SECOND"));
  }

  /** What went wrong, without the future's wrapping. */
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
