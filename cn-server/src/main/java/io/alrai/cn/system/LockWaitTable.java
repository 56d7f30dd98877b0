package io.alrai.cn.system;

import io.alrai.cn.blocked.LockWaits;
import io.alrai.cn.privilege.Denied;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Privilege;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * sys.innodb_lock_waits of the whole cluster in one statement: asked once, when it is first wanted.
 * One thread.
 */
final class LockWaitTable {
  private final LockWaits waits;
  private final Access access;
  private @Nullable String known;

  LockWaitTable(LockWaits waits, Access access) {
    this.waits = waits;
    this.access = access;
  }

  static LockWaitTable of(CnParts parts, Access access) {
    LockWaits waits =
        new LockWaits(
            parts.queries(), parts.settings().defaults(), parts.sessions(), parts.gms()::catalog);
    return new LockWaitTable(waits, access);
  }

  static boolean isNamed(String table) {
    String name = table.toLowerCase(Locale.ROOT);
    return name.equals("innodb_lock_waits") || name.equals("x$innodb_lock_waits");
  }

  /**
   * Its rows, as a query; blocks for a second at most.
   *
   * @throws AlraiException 1227 without PROCESS, as the view in a mysqld
   */
  String query() {
    if (!access.has(Privilege.PROCESS)) {
      throw Denied.lacking("PROCESS");
    }
    String query = known;
    if (query == null) {
      query = asked();
      known = query;
    }
    return query;
  }

  /** DNs and CNs that have not answered; empty while nobody was asked. */
  List<Condition> warnings() {
    return waits.warnings();
  }

  private String asked() {
    JsonTable table = new JsonTable();
    table.of("wait_started", "DATETIME").of("wait_age", "TIME").of("wait_age_secs", "BIGINT");
    table
        .text("locked_table", 260)
        .text("locked_table_schema", 64)
        .text("locked_table_name", 64)
        .text("locked_table_partition", 64)
        .text("locked_table_subpartition", 64)
        .text("locked_index", 64)
        .text("locked_type", 32);
    transaction(table, "waiting");
    table
        .of("waiting_pid", "BIGINT UNSIGNED")
        .longText("waiting_query")
        .text("waiting_lock_id", 128)
        .text("waiting_lock_mode", 32)
        .of("blocking_trx_id", "BIGINT UNSIGNED")
        .of("blocking_pid", "BIGINT UNSIGNED")
        .longText("blocking_query")
        .text("blocking_lock_id", 128)
        .text("blocking_lock_mode", 32)
        .of("blocking_trx_started", "DATETIME")
        .of("blocking_trx_age", "TIME")
        .of("blocking_trx_rows_locked", "BIGINT UNSIGNED")
        .of("blocking_trx_rows_modified", "BIGINT UNSIGNED")
        .text("sql_kill_blocking_query", 32)
        .text("sql_kill_blocking_connection", 26);
    waits.find().forEach(wait -> table.row(wait.values()));
    return table.query();
  }

  private static void transaction(JsonTable table, String who) {
    table
        .of(who + "_trx_id", "BIGINT UNSIGNED")
        .of(who + "_trx_started", "DATETIME")
        .of(who + "_trx_age", "TIME")
        .of(who + "_trx_rows_locked", "BIGINT UNSIGNED")
        .of(who + "_trx_rows_modified", "BIGINT UNSIGNED");
  }
}
