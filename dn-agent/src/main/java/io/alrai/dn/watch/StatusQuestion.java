package io.alrai.dn.watch;

import io.alrai.common.metrics.Metric;
import io.alrai.common.sql.Sql;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What is asked for of a mysqld's status, and where it belongs. */
final class StatusQuestion {
  private static final long NANOS_OF_MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Less than 2^63. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** Ages of transactions, which are no status variables. */
  private static final String LOCK_WAIT = "oldest lock wait";

  private static final String TRANSACTION = "oldest transaction";

  /**
   * One value.
   *
   * @param name of the mysqld
   * @param times what its unit is in Alrai's
   */
  private record Value(String name, Metric metric, long times) {
    Value(String name, Metric metric) {
      this(name, metric, 1);
    }
  }

  private static final List<Value> VALUES =
      List.of(
          new Value("Threads_connected", Metric.MYSQLD_CONNECTED),
          new Value("Threads_running", Metric.MYSQLD_RUNNING),
          new Value("Questions", Metric.MYSQLD_QUESTIONS),
          new Value("Innodb_rows_read", Metric.MYSQLD_ROWS_READ),
          new Value("Innodb_rows_inserted", Metric.MYSQLD_ROWS_WRITTEN),
          new Value("Innodb_rows_updated", Metric.MYSQLD_ROWS_WRITTEN),
          new Value("Innodb_rows_deleted", Metric.MYSQLD_ROWS_WRITTEN),
          new Value("Handler_read_rnd_next", Metric.MYSQLD_ROWS_SCANNED),
          new Value("Innodb_buffer_pool_read_requests", Metric.MYSQLD_POOL_REQUESTS),
          new Value("Innodb_buffer_pool_reads", Metric.MYSQLD_POOL_READS),
          new Value("Innodb_buffer_pool_bytes_dirty", Metric.MYSQLD_POOL_DIRTY),
          new Value("Innodb_row_lock_current_waits", Metric.MYSQLD_LOCKS_WAITING),
          new Value("Innodb_row_lock_time", Metric.MYSQLD_LOCK_WAITS, NANOS_OF_MILLIS),
          new Value("Innodb_log_waits", Metric.MYSQLD_LOG_WAITS),
          new Value("Binlog_cache_disk_use", Metric.MYSQLD_BINLOG_DISK),
          new Value(LOCK_WAIT, Metric.MYSQLD_LOCK_WAIT),
          new Value(TRANSACTION, Metric.MYSQLD_TRANSACTION));

  /** What is measured so. */
  static final List<Metric> METRICS = VALUES.stream().map(Value::metric).distinct().toList();

  /** Rows of names and numbers. */
  static final Sql SQL =
      Sql.of("SELECT variable_name, variable_value FROM performance_schema.global_status")
          .words(" WHERE variable_name IN (")
          .add(Sql.join(",", VALUES.stream().map(value -> Sql.EMPTY.string(value.name())).toList()))
          .words(") UNION ALL SELECT ")
          .string(LOCK_WAIT)
          .words(", COALESCE(MAX(TIMESTAMPDIFF(SECOND, trx_wait_started, NOW())), 0)")
          .words(" FROM information_schema.innodb_trx UNION ALL SELECT ")
          .string(TRANSACTION)
          .words(", COALESCE(MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())), 0)")
          .words(" FROM information_schema.innodb_trx");

  private StatusQuestion() {}

  /**
   * Adds a row of the answer to the values; names that nobody asked for are left out, and counters
   * of InnoDB that have fallen below 0 and so are near 2^64.
   */
  static void read(List<String> row, Map<Metric, Long> values) {
    for (Value value : VALUES) {
      if (value.name().equalsIgnoreCase(row.get(0)) && NUMBER.matcher(row.get(1)).matches()) {
        values.merge(value.metric(), Long.parseLong(row.get(1)) * value.times(), Long::sum);
      }
    }
  }
}
