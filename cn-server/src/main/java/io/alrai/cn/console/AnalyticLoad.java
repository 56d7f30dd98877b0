package io.alrai.cn.console;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.tpch.TpchQueries;
import io.alrai.tpch.TpchQuery;
import io.alrai.tpch.TpchRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The TPC-H queries in rounds on a connection of their own, until they are stopped. */
final class AnalyticLoad {
  private final MysqlEndpoint endpoint;
  private final List<String> errors = new ArrayList<>();
  private final Thread thread;
  private volatile boolean stopping;
  private long answered;
  private long nanos;

  /** Begins. */
  AnalyticLoad(MysqlEndpoint endpoint) {
    this.endpoint = endpoint;
    this.thread = Thread.ofPlatform().name("tpch").daemon().start(this::run);
  }

  private void run() {
    try (Connection connection = endpoint.connect()) {
      while (!stopping) {
        for (TpchQuery query : TpchQueries.all()) {
          if (!stopping) {
            run(connection, query);
          }
        }
      }
    } catch (SQLException e) {
      errors.add(e.getErrorCode() + " " + e.getMessage());
    }
  }

  private void run(Connection connection, TpchQuery query) {
    long start = System.nanoTime();
    try {
      TpchRun.answer(connection, query);
      nanos += System.nanoTime() - start;
      answered++;
    } catch (SQLException e) {
      errors.add(query.name() + ": " + e.getErrorCode() + " " + e.getMessage());
    }
  }

  /** The query at work is the last. */
  void stop() {
    stopping = true;
  }

  /** Waits for the end; its errors. */
  List<String> join() throws InterruptedException {
    thread.join();
    return errors;
  }

  /** What was done; after {@link #join}. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%d queries, %.0f ms each, %d errors",
        answered,
        answered == 0 ? 0.0 : nanos / 1e6 / answered,
        errors.size());
  }
}
