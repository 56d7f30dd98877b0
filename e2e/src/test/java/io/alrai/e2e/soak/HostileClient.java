package io.alrai.e2e.soak;

import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Connects, runs a statement of any kind, and is struck in its middle; again and again. */
final class HostileClient implements Runnable {
  /** What all of them do at a server, so that somebody can kill them. */
  record Shared(Queue<Long> sessions, Map<HostileStatement, AtomicLong> runs, AtomicLong struck) {
    static Shared of(Queue<Long> sessions) {
      Map<HostileStatement, AtomicLong> runs = new EnumMap<>(HostileStatement.class);
      for (HostileStatement kind : HostileStatement.values()) {
        runs.put(kind, new AtomicLong());
      }
      return new Shared(sessions, runs, new AtomicLong());
    }
  }

  private final int port;
  private final String own;
  private final Random random;
  private final Shared shared;
  private final long endNanos;

  HostileClient(int port, int number, long seed, Shared shared, long endNanos) {
    this.port = port;
    this.own = "h" + number;
    this.random = new Random(seed * 31 + number);
    this.shared = shared;
    this.endNanos = endNanos;
  }

  @Override
  public void run() {
    HostileStatement[] kinds = HostileStatement.values();
    while (System.nanoTime() - endNanos < 0) {
      HostileStatement kind = kinds[random.nextInt(kinds.length)];
      try (HostileLine line = new HostileLine(port)) {
        visit(line, kind);
      } catch (IOException | SQLException struck) {
        shared.struck.incrementAndGet();
      }
      shared.runs.get(kind).incrementAndGet();
    }
  }

  private void visit(HostileLine line, HostileStatement kind) throws SQLException {
    String properties =
        "&connectTimeout=10000&socketTimeout=20000&allowMultiQueries=true&useServerPrepStmts="
            + random.nextBoolean()
            + "&useCursorFetch="
            + (kind == HostileStatement.FETCHED);
    try (Connection connection =
            MiniCluster.connect(line.port(), HostileStatement.SCHEMA, properties);
        Statement statement = connection.createStatement()) {
      shared.sessions.add(
          connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class).getSession().getThreadId());
      if (random.nextInt(4) == 0) {
        statement.execute("BEGIN");
      }
      line.arm(Fate.random(random, kind.mayStall()));
      kind.run(connection, random, own);
    }
  }
}
