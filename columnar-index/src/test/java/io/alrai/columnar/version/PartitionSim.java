package io.alrai.columnar.version;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.delta.DeltaChunk;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.common.changelog.RowChange;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random transactions, readers at random timestamps and rewrites at random moments, compared with a
 * map of all versions. A failure prints its seed; {@code -Dcolumns.seed=N} runs it alone.
 */
class PartitionSim {
  private static final int SEEDS = Integer.getInteger("columns.seeds", 6);
  private static final int KEPT = 64;
  private static final int TRANSACTIONS = 500;

  private static final class Run {
    private final Random random;
    private final MemoryBudget budget = new MemoryBudget(1L << 30);
    private final ResolvedTimestamp resolved = new ResolvedTimestamp();
    private final Partition partition =
        new Partition("db.t[0]", SampleTable.SHAPE, budget, resolved);

    private record Reader(TableScan scan, Map<String, RowImage> expected) {}

    /** By stamp, all rows by key; the last ones. */
    private final TreeMap<Long, TreeMap<String, RowImage>> versions = new TreeMap<>();

    private final TreeMap<String, RowImage> now = new TreeMap<>();
    private final List<Reader> readers = new ArrayList<>();
    private Optional<Rewrite> rewrite = Optional.empty();
    private boolean ran;
    private long stamp = 100;
    private long horizon;

    Run(long seed) {
      random = new Random(seed);
    }

    void go() {
      load();
      for (int i = 0; i < TRANSACTIONS; i++) {
        transaction();
        if (random.nextInt(4) == 0) {
          open();
        }
        if (!readers.isEmpty() && random.nextInt(4) == 0) {
          check(readers.remove(random.nextInt(readers.size())));
        }
        rewrite();
      }
      rewrite.ifPresent(Rewrite::abandon);
      readers.forEach(this::check);
      assertEquals(partition.figures().bytes(), budget.usedBytes());
      assertEquals(now.size(), partition.figures().rows());
      partition.close();
      assertEquals(0, budget.usedBytes());
    }

    private void load() {
      PartitionLoader loader = new PartitionLoader(partition);
      int rows = random.nextInt(2_000);
      for (int i = 0; i < rows; i++) {
        RowImage row = SampleTable.row(random, i, "p");
        now.put(SampleTable.key(row), row);
        loader.add(row);
      }
      loader.finish(new HlcTimestamp(stamp));
      horizon = stamp;
      resolve();
    }

    private void resolve() {
      versions.put(stamp, new TreeMap<>(now));
      while (versions.size() > KEPT) {
        versions.pollFirstEntry();
      }
      resolved.advance(new HlcTimestamp(stamp));
    }

    private RowImage fresh() {
      return SampleTable.row(random, random.nextInt(3_000), random.nextBoolean() ? "p" : "q");
    }

    private void transaction() {
      stamp += 1 + random.nextInt(3);
      List<RowChange> changes = new ArrayList<>();
      int count = random.nextInt(10) == 0 ? 200 : 1 + random.nextInt(24);
      for (int i = 0; i < count; i++) {
        RowImage after = fresh();
        RowImage before = now.get(SampleTable.key(after));
        if (before == null) {
          changes.add(new RowChange.Insert(after));
        } else if (random.nextInt(3) == 0) {
          changes.add(new RowChange.Delete(before));
          now.remove(SampleTable.key(before));
          continue;
        } else {
          RowImage moved = fresh();
          if (!now.containsKey(SampleTable.key(moved))) {
            after = moved; // the update changes the key
          }
          now.remove(SampleTable.key(before));
          changes.add(new RowChange.Update(before, after));
        }
        now.put(SampleTable.key(after), after);
      }
      partition.apply(new HlcTimestamp(stamp), changes);
      resolve();
    }

    private void open() {
      long at = Math.max(horizon, stamp - random.nextInt(60));
      readers.add(
          new Reader(
              partition.scan(new HlcTimestamp(at), SampleTable.all(), ZoneFilter.ALL).join(),
              versions.floorEntry(at).getValue()));
    }

    private void check(Reader reader) {
      try (TableScan scan = reader.scan()) {
        assertEquals(reader.expected(), SampleTable.contents(scan), "at " + scan.at());
      }
    }

    private void rewrite() {
      if (rewrite.isEmpty() && random.nextInt(20) == 0) {
        long watermark = Math.max(horizon, stamp - random.nextInt(40));
        rewrite =
            partition.rewrite(
                new HlcTimestamp(watermark), new RewriteRules(DeltaChunk.CAPACITY, 0.2, 20_000));
        ran = false;
      } else if (rewrite.isPresent() && !ran && random.nextInt(5) == 0) {
        rewrite.get().run();
        ran = true;
      } else if (rewrite.isPresent() && ran && random.nextInt(5) == 0) {
        if (random.nextInt(4) == 0) {
          rewrite.get().abandon();
        } else {
          horizon = Math.max(horizon, rewrite.get().watermark());
          rewrite.get().install();
        }
        rewrite = Optional.empty();
      }
    }
  }

  @Test
  void everyReaderSeesItsVersion() {
    Long only = Long.getLong("columns.seed");
    for (long seed = 0; seed < SEEDS; seed++) {
      long chosen = only == null ? seed : only;
      try {
        new Run(chosen).go();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("columns.seed=" + chosen, e);
      }
    }
  }
}
