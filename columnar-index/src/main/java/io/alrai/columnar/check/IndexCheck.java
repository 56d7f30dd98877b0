package io.alrai.columnar.check;

import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.common.changelog.RowImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Compares rows by sums: the rows of both sides fall into buckets by the hash of their key, and
 * only those of buckets whose sums differ are looked at a second time. A difference is missed with
 * a probability of about 2^-64.
 */
public final class IndexCheck {
  private static final int BUCKETS = 1 << 14;

  /** Examples that are given at most. */
  private static final int EXAMPLES = 10;

  private final TableShape shape;

  /** For tables of that shape. */
  public IndexCheck(TableShape shape) {
    this.shape = shape;
  }

  /** Rows that can be read more than once, all as of one timestamp. */
  public interface Rows {
    /** Gives each. */
    void forEach(Consumer<RowImage> consumer);
  }

  /**
   * What was found.
   *
   * @param rows of the row store
   * @param missing rows that the index has not
   * @param surplus rows that only the index has
   * @param different rows of the same key with other values
   * @param examples sentences about some of them
   */
  public record Outcome(
      long rows, long missing, long surplus, long different, List<String> examples) {
    /** Whether both have the same rows. */
    public boolean isClean() {
      return missing + surplus + different == 0;
    }
  }

  private static final class Sums {
    private final long[] sums = new long[BUCKETS];
    private final long[] counts = new long[BUCKETS];
    private long rows;

    private void add(int bucket, RowImage row) {
      long hash = row.hashCode() * 0x9E3779B97F4A7C15L;
      for (int i = 0; i < row.columns(); i++) {
        long value = row.isNull(i) ? 0x5bd1e995 : row.number(i);
        for (byte b : row.bytes(i)) {
          value = value * 31 + b;
        }
        hash = (hash ^ value) * 0xD6E8FEB86659FD93L;
        hash ^= hash >>> 32;
      }
      sums[bucket] += hash;
      counts[bucket]++;
      rows++;
    }

    private boolean differ(int bucket, Sums other) {
      return sums[bucket] != other.sums[bucket] || counts[bucket] != other.counts[bucket];
    }
  }

  /**
   * Compares.
   *
   * @param index opens scans of all columns at one timestamp
   * @param rowStore the rows of the mysqld at the same
   */
  public Outcome compare(Supplier<TableScan> index, Rows rowStore) {
    Sums expected = new Sums();
    Sums found = new Sums();
    rowStore.forEach(row -> expected.add(bucket(row), row));
    scan(index, row -> found.add(bucket(row), row));
    boolean same = true;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      same &= !expected.differ(bucket, found);
    }
    return same
        ? new Outcome(expected.rows, 0, 0, 0, List.of())
        : explain(index, rowStore, expected, found);
  }

  private static void scan(Supplier<TableScan> index, Consumer<RowImage> consumer) {
    try (TableScan scan = index.get()) {
      BatchRows.forEach(scan, consumer);
    }
  }

  private Outcome explain(Supplier<TableScan> index, Rows rowStore, Sums expected, Sums found) {
    Map<RowImage, RowImage> left = new HashMap<>();
    rowStore.forEach(row -> {
      if (expected.differ(bucket(row), found)) {
        left.put(key(row), row);
      }
    });
    long[] counts = new long[2];
    List<String> examples = new ArrayList<>();
    scan(
        index,
        row -> {
          if (!expected.differ(bucket(row), found)) {
            return;
          }
          RowImage key = key(row);
          RowImage other = left.remove(key);
          if (other == null) {
            counts[0]++;
            example(examples, "only the index has the row with key " + key);
          } else if (!other.equals(row)) {
            counts[1]++;
            example(examples, "the row with key " + key + " is " + other + ", in the index " + row);
          }
        });
    left.keySet().forEach(key -> example(examples, "the index has no row with key " + key));
    return new Outcome(expected.rows, left.size(), counts[0], counts[1], examples);
  }

  private static void example(List<String> examples, String sentence) {
    if (examples.size() < EXAMPLES) {
      examples.add(sentence);
    }
  }

  private RowImage key(RowImage row) {
    RowImage key = new RowImage(shape.primaryKey().size());
    for (int i = 0; i < shape.primaryKey().size(); i++) {
      int ordinal = shape.primaryKey().get(i);
      key.put(i, row.number(ordinal));
      key.put(i, row.bytes(ordinal));
    }
    return key;
  }

  private int bucket(RowImage row) {
    return (int) (key(row).hashCode() * 0x9E3779B97F4A7C15L >>> 32) & BUCKETS - 1;
  }
}
