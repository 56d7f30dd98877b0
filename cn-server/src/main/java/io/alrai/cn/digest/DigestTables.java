package io.alrai.cn.digest;

import io.alrai.common.type.JsonString;
import io.alrai.optimizer.api.AdminStatement.TableName;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The tables of performance_schema that tell of digests, as queries over what all CNs have counted.
 * Blocking.
 */
public final class DigestTables {
  /** The table of counts. */
  public static final String SUMMARY = "events_statements_summary_by_digest";

  /** The table of latencies. */
  public static final String HISTOGRAM = "events_statements_histogram_by_digest";

  private static final long PICOS = 1000;

  private static final String NAME =
      " CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci PATH _utf8mb4'$[";

  private final ClusterDigests digests;

  /** Tables over what was counted. */
  public DigestTables(ClusterDigests digests) {
    this.digests = digests;
  }

  /** The rows of a table of performance_schema; empty for others. */
  public Optional<String> of(String table) {
    return switch (table.toLowerCase(Locale.ROOT)) {
      case SUMMARY -> Optional.of(summary(digests.rows()));
      case HISTOGRAM -> Optional.of(histogram(digests.rows()));
      default -> Optional.empty();
    };
  }

  /** Whether it is one of them, which TRUNCATE TABLE empties. */
  public static boolean isOne(TableName name, String currentSchema) {
    return name.schema().orElse(currentSchema).equalsIgnoreCase("performance_schema")
        && (name.table().equalsIgnoreCase(SUMMARY) || name.table().equalsIgnoreCase(HISTOGRAM));
  }

  private static String summary(List<DigestRow> rows) {
    StringBuilder json = new StringBuilder("[");
    for (DigestRow row : rows) {
      json.append(json.length() == 1 ? "[" : ",[");
      append(json, row);
      json.append(']');
    }
    return "SELECT SCHEMA_NAME,DIGEST,DIGEST_TEXT,COUNT_STAR,SUM_TIMER_WAIT,MIN_TIMER_WAIT,"
        + "AVG_TIMER_WAIT,MAX_TIMER_WAIT,"
        + zeros("SUM_LOCK_TIME")
        + "SUM_ERRORS,SUM_WARNINGS,SUM_ROWS_AFFECTED,SUM_ROWS_SENT,"
        + zeros(
            "SUM_ROWS_EXAMINED",
            "SUM_CREATED_TMP_DISK_TABLES",
            "SUM_CREATED_TMP_TABLES",
            "SUM_SELECT_FULL_JOIN",
            "SUM_SELECT_FULL_RANGE_JOIN",
            "SUM_SELECT_RANGE",
            "SUM_SELECT_RANGE_CHECK",
            "SUM_SELECT_SCAN",
            "SUM_SORT_MERGE_PASSES",
            "SUM_SORT_RANGE",
            "SUM_SORT_ROWS",
            "SUM_SORT_SCAN")
        + "SUM_NO_INDEX_USED,"
        + zeros(
            "SUM_NO_GOOD_INDEX_USED",
            "SUM_CPU_TIME",
            "MAX_CONTROLLED_MEMORY",
            "MAX_TOTAL_MEMORY",
            "COUNT_SECONDARY")
        + "t.FIRST_SEEN,t.LAST_SEEN,QUANTILE_95,QUANTILE_99,QUANTILE_999,QUERY_SAMPLE_TEXT,"
        + "t.QUERY_SAMPLE_SEEN,QUERY_SAMPLE_TIMER_WAIT FROM "
        + given(json.append(']'));
  }

  /** What the CN gives, as tables d and t. */
  private static String given(CharSequence json) {
    return "JSON_TABLE("
        + hex(json)
        + ",_utf8mb4'$[*]' COLUMNS("
        + "SCHEMA_NAME VARCHAR(64)"
        + NAME
        + "0]',DIGEST VARCHAR(64)"
        + NAME
        + "1]',DIGEST_TEXT LONGTEXT"
        + NAME
        + "2]',QUERY_SAMPLE_TEXT LONGTEXT"
        + NAME
        + "3]'"
        + numbers(
            "COUNT_STAR",
            "SUM_TIMER_WAIT",
            "MIN_TIMER_WAIT",
            "AVG_TIMER_WAIT",
            "MAX_TIMER_WAIT",
            "SUM_ERRORS",
            "SUM_WARNINGS",
            "SUM_ROWS_AFFECTED",
            "SUM_ROWS_SENT",
            "SUM_NO_INDEX_USED",
            "FIRST_MILLIS",
            "LAST_MILLIS",
            "QUANTILE_95",
            "QUANTILE_99",
            "QUANTILE_999",
            "SAMPLE_MILLIS",
            "QUERY_SAMPLE_TIMER_WAIT")
        + ")) AS d,JSON_TABLE(JSON_ARRAY("
        + time("FIRST_MILLIS")
        + ','
        + time("LAST_MILLIS")
        + ','
        + time("SAMPLE_MILLIS")
        + "),_utf8mb4'$' COLUMNS(FIRST_SEEN TIMESTAMP(6) PATH _utf8mb4'$[0]',"
        + "LAST_SEEN TIMESTAMP(6) PATH _utf8mb4'$[1]',"
        + "QUERY_SAMPLE_SEEN TIMESTAMP(6) PATH _utf8mb4'$[2]')) AS t";
  }

  /** A time of the session's zone. */
  private static String time(String millis) {
    return "FROM_UNIXTIME(" + millis + "/1000)";
  }

  private static String zeros(String... columns) {
    StringBuilder sql = new StringBuilder();
    for (String column : columns) {
      sql.append("CAST(0 AS UNSIGNED) AS ").append(column).append(',');
    }
    return sql.toString();
  }

  private static String numbers(String... columns) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < columns.length; i++) {
      sql.append(',').append(columns[i]).append(" BIGINT UNSIGNED PATH _utf8mb4'$[").append(i + 4);
      sql.append("]'");
    }
    return sql.toString();
  }

  private static void append(StringBuilder json, DigestRow row) {
    ShapeCount counts = row.counts();
    names(json, row);
    json.append(',');
    nullable(json, row.hash().isEmpty() ? "" : row.text());
    json.append(',');
    nullable(json, row.hash().isEmpty() ? "" : counts.sample);
    long[] numbers = {
      counts.count,
      counts.sumNanos * PICOS,
      counts.minNanos * PICOS,
      counts.sumNanos / counts.count * PICOS,
      counts.maxNanos * PICOS,
      counts.errors,
      counts.warnings,
      counts.affected,
      counts.sent,
      counts.noIndex,
      counts.firstMillis,
      counts.lastMillis,
      counts.latencies.quantile(0.95, counts.count),
      counts.latencies.quantile(0.99, counts.count),
      counts.latencies.quantile(0.999, counts.count),
      counts.sampleMillis,
      counts.sampleNanos * PICOS
    };
    for (long number : numbers) {
      json.append(',').append(Long.toUnsignedString(number));
    }
  }

  private static void names(StringBuilder json, DigestRow row) {
    nullable(json, row.counts().schema);
    json.append(',');
    nullable(json, row.hash());
  }

  private static void nullable(StringBuilder json, String text) {
    if (text.isEmpty()) {
      json.append("null");
    } else {
      JsonString.append(json, text);
    }
  }

  private static String histogram(List<DigestRow> rows) {
    StringBuilder json = new StringBuilder("[");
    for (DigestRow row : rows) {
      json.append(json.length() == 1 ? "[" : ",[");
      names(json, row);
      json.append(",[");
      long below = 0;
      for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
        long count = row.counts().latencies.count(bucket);
        below += count;
        json.append(bucket == 0 ? "[" : ",[").append(count).append(',').append(below).append(']');
      }
      json.append("],").append(row.counts().count).append(']');
    }
    StringBuilder bounds = new StringBuilder("[");
    for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
      bounds
          .append(bucket == 0 ? "[" : ",[")
          .append(LatencyBuckets.low(bucket))
          .append(',')
          .append(Long.toUnsignedString(LatencyBuckets.high(bucket)))
          .append(',')
          .append(bucket)
          .append(']');
    }
    return "SELECT SCHEMA_NAME,DIGEST,BUCKET_NUMBER,BUCKET_TIMER_LOW,"
        + "BUCKET_TIMER_HIGH,COUNT_BUCKET,COUNT_BUCKET_AND_LOWER,"
        + "CAST(COUNT_BUCKET_AND_LOWER/total AS DOUBLE) AS BUCKET_QUANTILE FROM JSON_TABLE("
        + hex(json.append(']'))
        + ",_utf8mb4'$[*]' COLUMNS("
        + "SCHEMA_NAME VARCHAR(64)"
        + NAME
        + "0]',DIGEST VARCHAR(64)"
        + NAME
        + "1]',total BIGINT UNSIGNED PATH _utf8mb4'$[3]',NESTED PATH _utf8mb4'$[2][*]' COLUMNS("
        + "n FOR ORDINALITY,COUNT_BUCKET BIGINT UNSIGNED PATH _utf8mb4'$[0]',"
        + "COUNT_BUCKET_AND_LOWER BIGINT UNSIGNED PATH _utf8mb4'$[1]'))) AS h JOIN JSON_TABLE("
        + hex(bounds.append(']'))
        + ",_utf8mb4'$[*]' COLUMNS(b FOR ORDINALITY,"
        + "BUCKET_NUMBER INT UNSIGNED PATH _utf8mb4'$[2]',"
        + "BUCKET_TIMER_LOW BIGINT UNSIGNED PATH _utf8mb4'$[0]',"
        + "BUCKET_TIMER_HIGH BIGINT UNSIGNED PATH _utf8mb4'$[1]')) AS w ON w.b=h.n";
  }

  /** A string that reads the same under every sql_mode and character set. */
  private static String hex(CharSequence text) {
    return "_utf8mb4 x'"
        + HexFormat.of().formatHex(text.toString().getBytes(StandardCharsets.UTF_8))
        + "'";
  }
}
