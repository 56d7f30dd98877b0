package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fills the tables of {@link TpccSchema} with the initial population (TPC-C 4.3.3): multi-row
 * inserts over several connections. Two loads of the same scale differ in nothing but the time of
 * day in their dates.
 */
public final class TpccLoader {
  /** Hears how far a load has come; called by the loading threads, several at a time. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Rows have arrived.
     *
     * @param table the table that got them
     * @param loaded rows of all tables until now
     * @param expected rows of all tables at the end, within a few percent
     */
    void rows(String table, long loaded, long expected);
  }

  @FunctionalInterface
  private interface Portion {
    void load(InitialRows rows, long seed) throws SQLException;
  }

  private final TpccOptions options;
  private final Clock clock;
  private final Progress progress;

  public TpccLoader(TpccOptions options, Clock clock, Progress progress) {
    this.options = options;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Loads into the empty tables. Blocks until the last row is committed; after an error the tables
   * hold a part.
   *
   * @return rows loaded
   * @throws SQLException the first error of any connection
   */
  public long load() throws SQLException, InterruptedException {
    List<Portion> portions = portions(options.scale());
    Queue<Integer> work = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < portions.size(); i++) {
      work.add(i);
    }
    AtomicLong loaded = new AtomicLong();
    String now =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss")
            .format(LocalDateTime.now(clock).truncatedTo(ChronoUnit.SECONDS));
    int threads = Math.min(options.load().threads(), portions.size());
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(() -> work(portions, work, loaded, now)));
      }
      await(workers, work);
    }
    return loaded.get();
  }

  /** Work that can be done side by side; its index is its seed. */
  private static List<Portion> portions(TpccScale scale) {
    List<Portion> portions = new ArrayList<>();
    portions.add(InitialRows::items);
    for (int i = 1; i <= scale.warehouses(); i++) {
      int warehouse = i;
      portions.add((rows, seed) -> rows.warehouse(warehouse, seed));
      portions.add((rows, seed) -> rows.stock(warehouse, seed));
      for (int j = 1; j <= TpccScale.DISTRICTS; j++) {
        int district = j;
        portions.add((rows, seed) -> rows.orders(warehouse, district, seed));
        portions.add((rows, seed) -> rows.customers(warehouse, district, seed));
      }
    }
    return portions;
  }

  private Void work(List<Portion> portions, Queue<Integer> work, AtomicLong loaded, String now)
      throws SQLException {
    long expected = expectedRows(options.scale());
    try (Connection connection = options.endpoint().connect()) {
      InitialRows rows =
          new InitialRows(
              connection,
              options.scale(),
              options.load().statementBytes(),
              now,
              (table, count) -> progress.rows(table, loaded.addAndGet(count), expected));
      for (Integer portion = work.poll(); portion != null; portion = work.poll()) {
        portions.get(portion).load(rows, portion);
      }
    } catch (SQLException | RuntimeException e) {
      work.clear();
      throw e;
    }
    return null;
  }

  private static void await(List<Future<?>> workers, Queue<Integer> work)
      throws SQLException, InterruptedException {
    try {
      for (Future<?> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new IllegalStateException("loading failed", e.getCause());
    } finally {
      work.clear();
    }
  }

  /** Rows of all tables; the number of order lines is the expected one, ten per order. */
  static long expectedRows(TpccScale scale) {
    long perDistrict = 1L + scale.customersPerDistrict() * 13L + scale.undeliveredPerDistrict();
    long perWarehouse = 1L + scale.items() + TpccScale.DISTRICTS * perDistrict;
    return scale.items() + scale.warehouses() * perWarehouse;
  }
}
