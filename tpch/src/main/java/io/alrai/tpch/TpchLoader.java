package io.alrai.tpch;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.sql.Connection;
import java.sql.SQLException;
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
 * Fills the tables of {@link TpchSchema} with the rows that dbgen makes, byte by byte: multi-row
 * inserts over several connections. The generator's text pool takes some 300 MB of heap.
 */
public final class TpchLoader {
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

  /** A part of a table's rows; parts are numbered from 1. */
  private record Portion(TpchTable<?> table, int part, int parts) {}

  private static final long ROWS_PER_PORTION = 25_000;

  private final TpchOptions options;
  private final Progress progress;

  public TpchLoader(TpchOptions options, Progress progress) {
    this.options = options;
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
    Queue<Portion> work = new ConcurrentLinkedQueue<>(portions());
    AtomicLong loaded = new AtomicLong();
    int threads = Math.min(options.load().threads(), work.size());
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(() -> work(work, loaded)));
      }
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
    return loaded.get();
  }

  private List<Portion> portions() {
    List<Portion> result = new ArrayList<>();
    for (String name : TpchSchema.TABLES) {
      long rows = expectedRows(name, options.scaleFactor());
      int parts = (int) Math.max(1, rows / ROWS_PER_PORTION);
      for (int part = 1; part <= parts; part++) {
        result.add(new Portion(TpchTable.getTable(name), part, parts));
      }
    }
    return result;
  }

  private Void work(Queue<Portion> work, AtomicLong loaded) throws SQLException {
    long expected =
        TpchSchema.TABLES.stream()
            .mapToLong(table -> expectedRows(table, options.scaleFactor()))
            .sum();
    try (Connection connection = options.endpoint().connect()) {
      connection.setAutoCommit(true);
      for (Portion portion = work.poll(); portion != null; portion = work.poll()) {
        load(connection, portion, loaded, expected);
      }
    } catch (SQLException | RuntimeException e) {
      work.clear();
      throw e;
    }
    return null;
  }

  private void load(Connection connection, Portion portion, AtomicLong loaded, long expected)
      throws SQLException {
    TpchTable<?> table = portion.table();
    try (InsertLines insert =
        new InsertLines(
            connection,
            table,
            options.load().statementBytes(),
            rows -> progress.rows(table.getTableName(), loaded.addAndGet(rows), expected))) {
      for (TpchEntity entity :
          table.createGenerator(options.scaleFactor(), portion.part(), portion.parts())) {
        insert.line(entity.toLine());
      }
      insert.flush();
    }
  }

  /** Rows of a table; lines of orders are four on average, one to seven each. */
  static long expectedRows(String table, double scaleFactor) {
    return switch (table) {
      case "region" -> 5;
      case "nation" -> 25;
      case "supplier" -> (long) (10_000 * scaleFactor);
      case "customer" -> (long) (150_000 * scaleFactor);
      case "part" -> (long) (200_000 * scaleFactor);
      case "partsupp" -> (long) (800_000 * scaleFactor);
      case "orders" -> (long) (1_500_000 * scaleFactor);
      case "lineitem" -> (long) (6_000_000 * scaleFactor);
      default -> throw new IllegalArgumentException("no table of TPC-H: " + table);
    };
  }
}
