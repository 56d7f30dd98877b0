package io.alrai.cn.digest;

import io.alrai.optimizer.api.shape.ShapedText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has counted of the statements of one shape in one schema; others get copies.
 */
final class ShapeCount {
  /** How many bytes of a statement are kept as a sample, as in MySQL. */
  static final int MOST_SAMPLE = 1024;

  private static final long SAMPLE_MILLIS = 60_000;
  private static final long PICOS = 1000;

  final String schema;

  /** Null for those that have no room of their own. */
  final @Nullable ShapedText shape;

  /** Whether it is an INSERT of several rows, whose shape is that of one row. */
  final boolean severalRows;

  final ShapeName name;
  final Latencies latencies = new Latencies();
  long count;
  long sumNanos;
  long minNanos = Long.MAX_VALUE;
  long maxNanos;
  long errors;
  long warnings;
  long affected;
  long sent;
  long noIndex;
  long firstMillis;
  long lastMillis;
  String sample = "";
  long sampleMillis;
  long sampleNanos = -1;

  ShapeCount(String schema, @Nullable ShapedText shape, boolean severalRows, ShapeName name) {
    this.schema = schema;
    this.shape = shape;
    this.severalRows = severalRows;
    this.name = name;
  }

  /** Counts a statement. */
  void add(StatementEnd end) {
    if (count == 0) {
      firstMillis = end.startMillis;
    }
    count++;
    sumNanos += end.nanos;
    minNanos = Math.min(minNanos, end.nanos);
    maxNanos = Math.max(maxNanos, end.nanos);
    errors += end.errno == 0 ? 0 : 1;
    warnings += end.warnings;
    affected += end.affected;
    sent += end.sent;
    noIndex += end.noIndex ? 1 : 0;
    lastMillis = end.startMillis;
    latencies.add(LatencyBuckets.of(end.nanos * PICOS), 1);
    if (end.nanos > sampleNanos || end.startMillis - sampleMillis > SAMPLE_MILLIS) {
      sample = ShownText.of(end.sql, Math.min(end.length, MOST_SAMPLE), end.mode);
      sampleMillis = end.startMillis;
      sampleNanos = end.nanos;
    }
  }

  /** Counts all that another one has, of the same digest. */
  void add(ShapeCount other) {
    firstMillis = count == 0 ? other.firstMillis : Math.min(firstMillis, other.firstMillis);
    count += other.count;
    sumNanos += other.sumNanos;
    minNanos = Math.min(minNanos, other.minNanos);
    maxNanos = Math.max(maxNanos, other.maxNanos);
    errors += other.errors;
    warnings += other.warnings;
    affected += other.affected;
    sent += other.sent;
    noIndex += other.noIndex;
    lastMillis = Math.max(lastMillis, other.lastMillis);
    latencies.add(other.latencies);
    if (other.sampleNanos > sampleNanos) {
      sample = other.sample;
      sampleMillis = other.sampleMillis;
      sampleNanos = other.sampleNanos;
    }
  }

  /** Begins anew. */
  void clear() {
    count = 0;
    sumNanos = 0;
    minNanos = Long.MAX_VALUE;
    maxNanos = 0;
    errors = 0;
    warnings = 0;
    affected = 0;
    sent = 0;
    noIndex = 0;
    sample = "";
    sampleMillis = 0;
    sampleNanos = -1;
    latencies.clear();
  }

  ShapeCount copy() {
    ShapeCount copy = new ShapeCount(schema, shape, severalRows, name);
    copy.add(this);
    return copy;
  }

  /** Whether a statement that was scanned before is of this shape. */
  boolean is(ShapedText text) {
    ShapedText own = shape;
    return own != null
        && (own == text
            || own.mode().equals(text.mode())
                && Arrays.equals(own.shapeBytes(), text.shapeBytes()));
  }
}
