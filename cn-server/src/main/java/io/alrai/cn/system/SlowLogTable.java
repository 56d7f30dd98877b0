package io.alrai.cn.system;

import io.alrai.cn.slowlog.SlowRow;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** mysql.slow_log: the slow statements of this CN, with MySQL's columns. Stateless. */
final class SlowLogTable {
  /** Its name. */
  static final String NAME = "slow_log";

  private SlowLogTable() {}

  static String query(List<SlowRow> rows) {
    JsonTable table =
        new JsonTable()
            .of("start_micros", "BIGINT")
            .text("user_host", 1024)
            .of("query_time", "TIME(6)")
            .of("lock_time", "TIME(6)")
            .of("rows_sent", "INT")
            .of("rows_examined", "INT")
            .text("db", 512)
            .of("last_insert_id", "INT")
            .of("insert_id", "INT")
            .of("server_id", "INT UNSIGNED")
            .longText("sql_text")
            .of("thread_id", "BIGINT UNSIGNED");
    for (SlowRow row : rows) {
      table.row(
          Arrays.asList(
              row.startMicros(),
              row.userAtHost(),
              time(row.micros()),
              time(0),
              number(row.sent()),
              0,
              row.schema(),
              number(row.lastInsertId()),
              0,
              0,
              row.text(),
              row.threadId()));
    }
    return "SELECT t.start_time,user_host,query_time,lock_time,rows_sent,rows_examined,db,last_insert_id,insert_id,"
        + "server_id,CAST(sql_text AS BINARY) AS sql_text,thread_id FROM ("
        + table.query()
        + ") AS s,JSON_TABLE(JSON_ARRAY(FROM_UNIXTIME(start_micros*0.000001)),_utf8mb4'$'"
        + " COLUMNS(start_time TIMESTAMP(6) PATH _utf8mb4'$[0]')) AS t";
  }

  /** MySQL has no more room either. */
  private static long number(long value) {
    return value < 0 ? Integer.MAX_VALUE : Math.min(value, Integer.MAX_VALUE);
  }

  private static String time(long micros) {
    long seconds = micros / 1_000_000;
    return String.format(
        Locale.ROOT,
        "%02d:%02d:%02d.%06d",
        Math.min(838, seconds / 3600),
        seconds / 60 % 60,
        seconds % 60,
        micros % 1_000_000);
  }
}
