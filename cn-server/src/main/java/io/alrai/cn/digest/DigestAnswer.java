package io.alrai.cn.digest;

import io.alrai.cn.ask.AskRow;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of digests as CNs give them to each other. What finds no room in an answer, of those that
 * took the least time, is one row without a digest, as what a table has no room for. Pure.
 */
final class DigestAnswer {
  /** How many rows an answer has. */
  static final int MOST_ROWS = 8192;

  /** How many bytes these have: an answer may have 16 MiB. */
  static final int MOST_BYTES = 12 << 20;

  private DigestAnswer() {}

  /** Rows to tell, from those that took the most time on. */
  static List<AskRow> of(List<DigestRow> rows) {
    List<AskRow> told = new ArrayList<>();
    ShapeCount left = new ShapeCount("", null, false, ShapeName.NONE);
    int bytes = 0;
    for (DigestRow row : rows) {
      AskRow asked = told(row);
      bytes += bytes < MOST_BYTES ? bytes(asked) : 0;
      if (told.size() < MOST_ROWS && bytes < MOST_BYTES) {
        told.add(asked);
      } else {
        left.add(row.counts());
      }
    }
    if (left.count > 0) {
      told.add(told(new DigestRow("", "", left)));
    }
    return told;
  }

  private static int bytes(AskRow row) {
    int bytes = 2;
    for (String field : row.fields()) {
      bytes += 4 + (field == null ? 0 : ByteBufUtil.utf8Bytes(field));
    }
    return bytes;
  }

  private static AskRow told(DigestRow row) {
    ShapeCount counts = row.counts();
    return AskRow.of(
        row.hash(),
        row.text(),
        counts.schema,
        counts.sample,
        counts.count,
        counts.sumNanos,
        counts.minNanos,
        counts.maxNanos,
        counts.errors,
        counts.warnings,
        counts.affected,
        counts.sent,
        counts.noIndex,
        counts.firstMillis,
        counts.lastMillis,
        counts.sampleMillis,
        counts.sampleNanos,
        buckets(counts.latencies));
  }

  /** {@code bucket:count,bucket:count}. */
  private static String buckets(Latencies latencies) {
    StringBuilder text = new StringBuilder();
    for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
      long count = latencies.count(bucket);
      if (count > 0) {
        text.append(text.isEmpty() ? "" : ",").append(bucket).append(':').append(count);
      }
    }
    return text.toString();
  }

  /** A row of an answer; its counts are nobody else's. */
  static DigestRow read(AskRow row) {
    ShapeCount counts = new ShapeCount(row.text(2), null, false, ShapeName.NONE);
    counts.sample = row.text(3);
    counts.count = Math.max(1, row.number(4));
    counts.sumNanos = row.number(5);
    counts.minNanos = row.number(6);
    counts.maxNanos = row.number(7);
    counts.errors = row.number(8);
    counts.warnings = row.number(9);
    counts.affected = row.number(10);
    counts.sent = row.number(11);
    counts.noIndex = row.number(12);
    counts.firstMillis = row.number(13);
    counts.lastMillis = row.number(14);
    counts.sampleMillis = row.number(15);
    counts.sampleNanos = row.number(16);
    for (String bucket : row.text(17).split(",", -1)) {
      AskRow pair = AskRow.of((Object[]) bucket.split(":", 2));
      long times = pair.number(1);
      if (times > 0 && pair.number(0) >= 0 && pair.number(0) < LatencyBuckets.COUNT) {
        counts.latencies.add((int) pair.number(0), times);
      }
    }
    return new DigestRow(row.text(0), row.text(1), counts);
  }
}
