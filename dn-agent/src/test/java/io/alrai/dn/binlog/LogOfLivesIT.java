package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

  /** mysqld begins a new file while it waits: it counts other commits only. */
  @Test
  void anXaCommitAtTheEndOfAFileThatWasClosedIsCutOffToo() throws Exception {
    server.attach();
    gate.open();
    server.query(
        "CREATE DATABASE d;CREATE TABLE d.t (id INT PRIMARY KEY);INSERT INTO d.t VALUES (1)");
    server.query("XA START 'x';INSERT INTO d.t VALUES (2);XA END 'x';XA PREPARE 'x'");
    gate.shut();
    StreamedServer.send(server.connect(), "XA COMMIT 'x'");
    BinlogTransaction held = gate.next();
    StreamedServer.get(StreamedServer.send(server.connect(), "FLUSH BINARY LOGS"));
    StreamedServer.send(server.connect(), "INSERT INTO d.t VALUES (3)");
    BinlogTransaction behind = gate.next();
    assertEquals("binlog.000001", held.end().file());
    assertEquals("binlog.000002", behind.end().file());
    assertTrue(server.killAndCut() > 0);
    server.startAgain();
    server.attach();
    assertFalse(gate.visible().contains(held.gtid()));
    assertFalse(gate.visible().contains(behind.gtid()));
    assertEquals(1, server.query("XA RECOVER").size());
    gate.open();
    server.query("XA COMMIT 'x'");
    assertEquals("2", server.value("SELECT COUNT(*) FROM d.t"));
    int commits = 0;
    try (LogReader reader = server.log().open(new GtidSet(), READ_AHEAD)) {
      Optional<BinlogTransaction> next;
      while ((next = reader.poll(500)).isPresent()) {
        commits += next.get().kind() instanceof TransactionKind.XaCommit ? 1 : 0;
      }
    }
    assertEquals(1, commits, "a replica of it would stop at the second one");
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
