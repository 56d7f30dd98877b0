package io.alrai.cn.deadlock;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.deadlock.DnParties.OpenBranch;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one DN's mysqld who waits for whom, over a connection of its own: it must be there when
 * sessions that wait have taken all others. Thread-safe; one question at a time, others are not
 * asked.
 */
final class DnProbe {
  private static final Logger log = LoggerFactory.getLogger(DnProbe.class);
  private static final long PATIENCE_MILLIS = 1_000;

  /** A line of n that want one row has n * (n - 1) / 2 of them. */
  private static final int MOST_WAITS = 20_000;

  private static final Sql WAITS =
      Sql.of(
          "SELECT REQUESTING_ENGINE_LOCK_ID, REQUESTING_ENGINE_TRANSACTION_ID,"
              + " BLOCKING_ENGINE_TRANSACTION_ID FROM performance_schema.data_lock_waits LIMIT "
              + MOST_WAITS);

  /**
   * Not by the thread that data_lock_waits names: a lock that was implicit has the thread that made
   * it explicit, which is the waiting one's.
   */
  private static final Sql CONNECTIONS =
      Sql.of(
          "SELECT trx_id, trx_mysql_thread_id FROM information_schema.innodb_trx"
              + " WHERE trx_mysql_thread_id <> 0");

  /**
   * The begin by the mysqld's clock: how late the question comes must not change its answer. After
   * XA PREPARE a connection shows the detached branch as ACTIVE until its next transaction.
   */
  private static final Sql TRANSACTIONS =
      Sql.of(
          "SELECT t.PROCESSLIST_ID, x.XID_GTRID,"
              + " CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) - x.TIMER_WAIT DIV 1000000"
              + " FROM performance_schema.events_transactions_current x"
              + " JOIN performance_schema.threads t ON t.THREAD_ID = x.THREAD_ID"
              + " WHERE x.STATE = 'ACTIVE' AND NOT x.XA_STATE <=> 'PREPARED'"
              + " AND t.PROCESSLIST_ID IS NOT NULL");

  private final ShardQueries queries;
  private final SessionSettings settings;
  private final DnId dn;
  private final AtomicBoolean atWork = new AtomicBoolean();

  /** Of whoever has set {@link #atWork}. */
  private @Nullable SideBranch kept;

  DnProbe(ShardQueries queries, SessionSettings settings, DnId dn) {
    this.queries = queries;
    this.settings = settings;
    this.dn = dn;
  }

  /** Completes within a second, with nothing if the mysqld does not answer. */
  CompletableFuture<List<LockWait>> waits() {
    return ask(() -> readWaits(connection()), List.of());
  }

  /** Completes within a second, with nothing if the mysqld does not answer. */
  CompletableFuture<DnParties> parties() {
    return ask(() -> readParties(connection()), DnParties.none(dn));
  }

  /** Interrupts a connection; whether the mysqld says so within a second. */
  CompletableFuture<Boolean> kill(long connection) {
    return ask(
        () -> {
          try (SideBranch killer = SideBranch.open(queries, dn, BackendAccount.KILL, settings)) {
            killer.update("", Sql.of("KILL QUERY ").number(connection));
            return true;
          }
        },
        false);
  }

  /** Ends the connection, unless it is at work. */
  void close() {
    if (atWork.compareAndSet(false, true)) {
      discard();
    }
  }

  private <T> CompletableFuture<T> ask(Supplier<T> question, T otherwise) {
    if (!atWork.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(otherwise);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      T found = otherwise;
      try {
        found = question.get();
      } catch (AlraiException e) {
        log.debug("{} does not tell its lock waits: {}", dn, e.sentence());
        discard();
      } finally {
        atWork.set(false);
        answer.complete(found);
      }
    });
    return answer.completeOnTimeout(otherwise, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private SideBranch connection() {
    SideBranch known = kept;
    if (known == null) {
      known = SideBranch.open(queries, dn, settings);
      kept = known;
    }
    return known;
  }

  private void discard() {
    SideBranch known = kept;
    kept = null;
    if (known != null) {
      known.discard();
    }
  }

  private List<LockWait> readWaits(SideBranch branch) {
    List<LockWait> waits = new ArrayList<>();
    for (List<@Nullable String> row : rows(branch, WAITS)) {
      waits.add(new LockWait(dn, text(row, 0), number(row, 1), number(row, 2)));
    }
    return waits;
  }

  private DnParties readParties(SideBranch branch) {
    Map<Long, Long> connections = new HashMap<>();
    for (List<@Nullable String> row : rows(branch, CONNECTIONS)) {
      connections.put(number(row, 0), number(row, 1));
    }
    Map<Long, OpenBranch> open = new HashMap<>();
    for (List<@Nullable String> row : rows(branch, TRANSACTIONS)) {
      open.put(number(row, 0), new OpenBranch(id(text(row, 1)), number(row, 2)));
    }
    return new DnParties(dn, connections, open);
  }

  private static Optional<TransactionId> id(String gtrid) {
    try {
      return Optional.of(TransactionId.parse(gtrid));
    } catch (IllegalArgumentException e) {
      // a plain transaction, or somebody else's XA
      return Optional.empty();
    }
  }

  private static List<List<@Nullable String>> rows(SideBranch branch, Sql sql) {
    try (ShardCall call = branch.start("", sql)) {
      return ShardQueries.rows(call);
    }
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNullElse(row.get(column), "");
  }

  private static long number(List<@Nullable String> row, int column) {
    String text = text(row, column);
    return text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
  }
}
