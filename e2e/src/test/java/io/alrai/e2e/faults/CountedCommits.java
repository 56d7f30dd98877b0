package io.alrai.e2e.faults;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Clients that add 1 to a row of their own, each time in a transaction on one DN, and count the
 * COMMITs that were answered: the row must have that number, as every other transaction was rolled
 * back.
 */
final class CountedCommits implements AutoCloseable {
  private static final int CLIENTS = 6;
  private static final int ER_LOCK_DEADLOCK = 1213;

  private final int port;
  private final AtomicLongArray committed = new AtomicLongArray(CLIENTS);
  private final Queue<String> inDoubt = new ConcurrentLinkedQueue<>();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean over;

  /** They work from now on, in a table of the database {@code bank}. */
  CountedCommits(int port, Connection admin) throws SQLException {
    this.port = port;
    Servers.run(
        admin,
        "CREATE TABLE bank.counted (id INT PRIMARY KEY, n BIGINT NOT NULL)"
            + " PARTITION BY KEY(id) PARTITIONS 8");
    for (int i = 0; i < CLIENTS; i++) {
      int own = i;
      Servers.run(admin, "INSERT INTO bank.counted VALUES (" + i + ",0)");
      clients.execute(() -> work(own));
    }
  }

  private void work(int own) {
    while (!over) {
      try (Connection client = MiniCluster.connect(port, "bank", "")) {
        client.setAutoCommit(false);
        while (!over) {
          add(client, own);
        }
      } catch (SQLException connectionLost) {
        // another one
      }
    }
  }

  private void add(Connection client, int own) throws SQLException {
    boolean committing = false;
    try {
      Servers.run(client, "UPDATE counted SET n=n+1 WHERE id=" + own);
      committing = true;
      client.commit();
      committed.incrementAndGet(own);
    } catch (SQLException e) {
      if (committing && e.getErrorCode() != ER_LOCK_DEADLOCK) {
        inDoubt.add(e.getErrorCode() + ": " + e.getMessage());
      }
      client.rollback();
    }
  }

  /** What is wrong in the end. */
  List<String> wrong(Connection admin) throws SQLException {
    close();
    List<String> wrong = new ArrayList<>(inDoubt);
    for (int i = 0; i < CLIENTS; i++) {
      String found = Servers.column(admin, "SELECT n FROM bank.counted WHERE id=" + i).getFirst();
      if (Long.parseLong(found) != committed.get(i)) {
        wrong.add("client " + i + ": " + found + " instead of " + committed.get(i));
      }
    }
    return wrong;
  }

  @Override
  public void close() {
    over = true;
    clients.close();
  }
}
