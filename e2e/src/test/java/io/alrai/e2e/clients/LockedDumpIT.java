package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.load.BankLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * mysqldump of a bank while money is moved has the whole money, and so has who reads under the
 * lock.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(300)
class LockedDumpIT {
  private static final int ACCOUNTS = 100;
  private static final long TOTAL = ACCOUNTS * 1_000L;
  private static final Pattern ROW = Pattern.compile("\\((\\d+),(-?\\d+)\\)");

  @TempDir private Path directory;

  @Test
  void aDumpBesideWritersIsOfOneMoment(Servers servers) throws Exception {
    int port = servers.cluster().port();
    BankLoad bank = new BankLoad(new BankLoad.Size(List.of(port), ACCOUNTS, 2, 4, false));
    bank.create();
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Void> run =
          runner.submit(() -> {
            bank.run(280, 1, stop);
            return null;
          });
      try {
        for (List<String> how :
            List.of(
                List.of("--lock-all-tables"),
                List.of("--lock-all-tables", "--flush-logs"),
                List.of("--single-transaction", "--flush-logs"),
                List.of("--single-transaction"))) {
          moves(bank);
          assertEquals(TOTAL, dumped(port, how), how::toString);
        }
        moves(bank);
      } finally {
        stop.set(true);
      }
      run.get();
    }
    assertEquals("", bank.unexpectedErrors());
    assertEquals(List.of(), bank.checkAtRest(port));
  }

  private static void moves(BankLoad bank) {
    long before = bank.transfers();
    ClusterProcess.await("transfers", () -> bank.transfers() > before + 20);
  }

  /** The two tables are read one after the other, so that only a lock makes them fit. */
  @Test
  void underTheLockSeveralStatementsSeeOneMoment(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshRows(port, "noted", 16, 0);
    AtomicBoolean stop = new AtomicBoolean();
    try (Connection holder = MiniCluster.connect(port, "noted", "");
        ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      Servers.run(holder, "CREATE TABLE n (a INT PRIMARY KEY, c INT)");
      Servers.run(holder, "INSERT INTO n VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
      List<Future<Integer>> writers = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        int writer = i;
        writers.add(runner.submit(() -> write(port, writer, stop)));
      }
      try {
        for (int i = 0; i < 20; i++) {
          Servers.run(holder, "FLUSH TABLES WITH READ LOCK");
          List<String> sum = Servers.column(holder, "SELECT SUM(b) FROM t");
          for (int again = 0; again < 3; again++) {
            assertEquals(sum, Servers.column(holder, "SELECT SUM(c) * 4 FROM n"));
            assertEquals(sum, Servers.column(holder, "SELECT SUM(b) FROM t WHERE a > 0"));
          }
          Servers.run(holder, "UNLOCK TABLES");
          String before = sum.getFirst();
          ClusterProcess.await(
              "another write", () -> !read(holder, "SELECT SUM(b) FROM t").equals(before));
        }
      } finally {
        stop.set(true);
      }
      for (Future<Integer> writer : writers) {
        assertTrue(writer.get() > 0);
      }
    }
  }

  private static String read(Connection connection, String query) {
    try {
      return Servers.column(connection, query).getFirst();
    } catch (SQLException e) {
      throw new AssertionError(query, e);
    }
  }

  /** Each transaction adds 1 to four rows of all DNs, and to its own note. */
  private static int write(int port, int writer, AtomicBoolean stop) throws Exception {
    int done = 0;
    try (Connection connection = MiniCluster.connect(port, "noted", "")) {
      int first = writer * 4 - 3;
      while (!stop.get()) {
        Servers.run(
            connection,
            "BEGIN",
            "UPDATE t SET b = b + 1 WHERE a BETWEEN " + first + " AND " + (first + 3),
            "UPDATE n SET c = c + 1 WHERE a = " + writer,
            "COMMIT");
        done++;
      }
    }
    return done;
  }

  private long dumped(int port, List<String> how) throws InterruptedException, IOException {
    Path file = directory.resolve("bank.sql");
    Path binary =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .mysqld()
            .resolveSibling("mysqldump");
    assumeTrue(Files.isExecutable(binary), "there is no mysqldump beside mysqld");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(binary.toString(), "--no-defaults", "-h127.0.0.1", "-P" + port, "-uroot"));
    command.addAll(
        List.of(
            "--set-gtid-purged=OFF",
            "--no-tablespaces",
            "--skip-masking-policies",
            "--result-file=" + file));
    command.addAll(how);
    command.add(BankLoad.SCHEMA);
    Program.Ending ending = Program.run(directory, Map.of(), Optional.empty(), 120, command);
    assertEquals(0, ending.code(), ending.output());
    long sum = 0;
    int accounts = 0;
    Matcher row = ROW.matcher(Files.readString(file));
    while (row.find()) {
      accounts++;
      sum += Long.parseLong(row.group(2));
    }
    assertEquals(ACCOUNTS, accounts);
    return sum;
  }
}
