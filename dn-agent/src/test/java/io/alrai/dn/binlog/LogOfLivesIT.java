package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that several lives of a real mysqld wrote. */
class LogOfLivesIT {
  private static final int TABLES = 12;
  private static final long READ_AHEAD = 1 << 20;
  private static final long PATIENCE_MILLIS = 10_000;

  @TempDir Path temporary;
  private final HandGate gate = new HandGate();
  private StreamedServer server;

  @BeforeEach
  void start() throws Exception {
    server = new StreamedServer(temporary.resolve("dn-1"), gate);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void tablesHaveTheirNamesAlsoWhereAnotherLifeNumbersThemOtherwise() throws Exception {
    server.attach();
    gate.open();
    server.query("CREATE DATABASE d");
    for (int i = 0; i < TABLES; i++) {
      server.query("CREATE TABLE d.t" + i + " (id INT PRIMARY KEY AUTO_INCREMENT)");
    }
    server.killAndCut();
    server.startAgain();
    server.attach();
    List<String> written = new ArrayList<>();
    for (int i = 0; i < TABLES; i++) {
      insert(i, written);
    }
    server.killAndCut();
    server.startAgain();
    server.attach();
    for (int i = TABLES - 1; i >= 0; i--) {
      insert(i, written);
    }
    assertEquals(written, tablesInTheLog());
  }

  private void insert(int table, List<String> written) throws Exception {
    server.query("INSERT INTO d.t" + table + " VALUES ()");
    written.add("t" + table);
  }

  private List<String> tablesInTheLog() throws Exception {
    List<String> found = new ArrayList<>();
    try (LogReader reader = server.log().open(new GtidSet(), READ_AHEAD)) {
      while (found.size() < 2 * TABLES) {
        Optional<BinlogTransaction> next = reader.poll(PATIENCE_MILLIS);
        assertTrue(next.isPresent(), "read until now: " + found);
        next.get().tables().forEach(name -> found.add(name.table()));
      }
    }
    return found;
  }
}
