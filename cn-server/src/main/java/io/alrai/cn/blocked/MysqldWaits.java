package io.alrai.cn.blocked;

import io.alrai.cn.blocked.MysqldWait.Lock;
import io.alrai.cn.blocked.MysqldWait.Transaction;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock waits of one DN. Three queries instead of a join, which takes seconds where many want
 * one row. Blocking; under the account of SHOW, as sessions that wait may have all connections of
 * the other.
 */
final class MysqldWaits {
  /** A line of n that want one row has n * (n - 1) / 2 of them. */
  private static final int MOST_READ = 20_000;

  /** The most that are shown, first those whose blockers do not wait themselves. */
  static final int MOST_TOLD = 500;

  private static final Sql WAITS =
      Sql.of(
          "SELECT REQUESTING_ENGINE_TRANSACTION_ID,REQUESTING_ENGINE_LOCK_ID,"
              + "BLOCKING_ENGINE_TRANSACTION_ID,BLOCKING_ENGINE_LOCK_ID"
              + " FROM performance_schema.data_lock_waits LIMIT "
              + MOST_READ);

  /** Not the threads that data_lock_waits names: see design page 0013. */
  private static final Sql TRANSACTIONS =
      Sql.of(
          "SELECT trx_id,trx_wait_started,TIMEDIFF(NOW(),trx_wait_started),"
              + "TIMESTAMPDIFF(SECOND,trx_wait_started,NOW()),trx_started,"
              + "TIMEDIFF(NOW(),trx_started),trx_rows_locked,trx_rows_modified,"
              + "trx_mysql_thread_id FROM information_schema.INNODB_TRX");

  private record Wait(String waiting, String wanted, String blocking, String had) {}

  private MysqldWaits() {}

  /**
   * Asks a mysqld.
   *
   * @throws AlraiException when it does not answer
   */
  static List<MysqldWait> of(ShardQueries queries, SessionSettings settings, DnId dn) {
    SideBranch branch = SideBranch.open(queries, dn, BackendAccount.SHADOW, settings);
    boolean whole = false;
    try {
      List<MysqldWait> waits = read(branch);
      whole = true;
      return waits;
    } finally {
      if (whole) {
        branch.close();
      } else {
        branch.discard();
      }
    }
  }

  private static List<MysqldWait> read(SideBranch branch) {
    List<Wait> waits = new ArrayList<>();
    rows(branch, WAITS)
        .forEach(
            row -> waits.add(new Wait(text(row, 0), text(row, 1), text(row, 2), text(row, 3))));
    if (waits.isEmpty()) {
      return List.of();
    }
    Set<String> wait = new HashSet<>();
    waits.forEach(each -> wait.add(each.waiting));
    waits.sort(Comparator.comparing(each -> wait.contains(each.blocking)));
    List<Wait> told = waits.subList(0, Math.min(MOST_TOLD, waits.size()));
    Map<String, Transaction> transactions = transactions(branch);
    Map<String, Lock> locks = locks(branch, told);
    List<MysqldWait> found = new ArrayList<>();
    for (Wait each : told) {
      Transaction waiting = transactions.get(each.waiting);
      Transaction blocking = transactions.get(each.blocking);
      if (waiting != null && blocking != null) {
        found.add(
            new MysqldWait(
                waiting,
                blocking,
                Optional.ofNullable(locks.get(each.wanted)),
                Optional.ofNullable(locks.get(each.had))));
      }
    }
    return found;
  }

  private static Map<String, Transaction> transactions(SideBranch branch) {
    Map<String, Transaction> found = new HashMap<>();
    for (List<@Nullable String> row : rows(branch, TRANSACTIONS)) {
      found.put(
          text(row, 0),
          new Transaction(
              text(row, 0),
              row.get(1),
              row.get(2),
              row.get(3),
              row.get(4),
              row.get(5),
              row.get(6),
              row.get(7),
              Long.parseLong(text(row, 8))));
    }
    return found;
  }

  private static Map<String, Lock> locks(SideBranch branch, List<Wait> waits) {
    Set<String> ids = new LinkedHashSet<>();
    waits.forEach(wait -> ids.add(wait.wanted));
    waits.forEach(wait -> ids.add(wait.had));
    Sql query =
        Sql.of(
                "SELECT ENGINE_LOCK_ID,OBJECT_SCHEMA,OBJECT_NAME,PARTITION_NAME,"
                    + "SUBPARTITION_NAME,INDEX_NAME,LOCK_TYPE,LOCK_MODE"
                    + " FROM performance_schema.data_locks"
                    + " WHERE ENGINE='INNODB' AND ENGINE_LOCK_ID IN (")
            .add(Sql.join(",", ids.stream().map(id -> Sql.EMPTY.string(id)).toList()))
            .words(")");
    Map<String, Lock> found = new HashMap<>();
    for (List<@Nullable String> row : rows(branch, query)) {
      found.put(
          text(row, 0),
          new Lock(
              text(row, 0),
              row.get(1),
              row.get(2),
              row.get(3),
              row.get(4),
              row.get(5),
              row.get(6),
              row.get(7)));
    }
    return found;
  }

  private static List<List<@Nullable String>> rows(SideBranch branch, Sql sql) {
    try (ShardCall call = branch.start("", sql)) {
      return ShardQueries.rows(call);
    }
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNullElse(row.get(column), "");
  }
}
