package io.alrai.e2e.clients;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.Capability;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What sessions begin with, by SET GLOBAL, and when idle ones end: all as on a mysqld. */
@ExtendWith(Servers.Shared.class)
class GlobalVariablesIT {
  private static final String RESTORE =
      """
      SET GLOBAL sql_mode = DEFAULT, GLOBAL autocommit = DEFAULT, GLOBAL time_zone = DEFAULT,
        GLOBAL wait_timeout = DEFAULT, GLOBAL interactive_timeout = DEFAULT,
        GLOBAL div_precision_increment = DEFAULT, GLOBAL foreign_key_checks = ON,
        GLOBAL transaction_isolation = DEFAULT, GLOBAL transaction_read_only = DEFAULT;
      """;

  private final Servers servers;

  @TempDir private Path directory;

  GlobalVariablesIT(Servers servers) {
    this.servers = servers;
  }

  private List<Integer> ports() {
    return List.of(servers.plain().port(), servers.cluster().port());
  }

  @AfterEach
  void restore() throws Exception {
    for (int port : ports()) {
      session(port, RESTORE);
    }
  }

  /** What a session gets that sends this, errors included. */
  private String session(int port, String statements) throws Exception {
    return MysqlClient.run(directory, port, List.of("--force", "--table"), statements).output();
  }

  /** Runs sessions, one after the other, on both. */
  private void same(String... sessions) throws Exception {
    List<List<String>> told = new ArrayList<>();
    for (int port : ports()) {
      Servers.freshSchema(port, "globals");
      List<String> answers = new ArrayList<>();
      for (String session : sessions) {
        answers.add(session(port, session));
      }
      told.add(answers);
    }
    for (int i = 0; i < sessions.length; i++) {
      assertEquals(told.getFirst().get(i), told.getLast().get(i), sessions[i]);
    }
  }

  @Test
  void theModeOfStatements() throws Exception {
    same(
        "CREATE TABLE globals.t (a INT PRIMARY KEY, b INT); INSERT INTO globals.t VALUES (1,2)",
        """
        SET GLOBAL sql_mode = (SELECT REPLACE(@@sql_mode, 'ONLY_FULL_GROUP_BY,', ''));
        SELECT @@sql_mode; SELECT @@GLOBAL.sql_mode;
        SHOW VARIABLES LIKE 'sql_mode'; SHOW GLOBAL VARIABLES LIKE 'sql_mode';
        SELECT a, b FROM globals.t GROUP BY b;
        """,
        """
        SELECT @@sql_mode; SELECT a, b FROM globals.t GROUP BY b;
        SET sql_mode = ''; SELECT @@sql_mode; SET sql_mode = DEFAULT; SELECT @@sql_mode;
        SET GLOBAL sql_mode = CONCAT(@@GLOBAL.sql_mode, ',ANSI_QUOTES,NO_BACKSLASH_ESCAPES');
        SELECT "a" FROM globals.t;
        """,
        """
        SELECT "a", 'it\\' AS "x" FROM globals.t;
        SET GLOBAL sql_mode = DEFAULT; SELECT @@GLOBAL.sql_mode;
        """,
        "SELECT @@sql_mode, \"a\"");
  }

  @Test
  void transactions() throws Exception {
    same(
        "CREATE TABLE globals.t (a INT PRIMARY KEY, b INT)",
        """
        SET GLOBAL autocommit = 0; SELECT @@autocommit, @@GLOBAL.autocommit;
        SHOW GLOBAL VARIABLES LIKE 'autocommit'; SHOW VARIABLES LIKE 'autocommit';
        INSERT INTO globals.t VALUES (1, 1);
        """,
        """
        SELECT @@autocommit; SHOW VARIABLES LIKE 'autocommit';
        INSERT INTO globals.t VALUES (2, 2), (3, 3), (4, 4), (5, 5);
        """,
        """
        SELECT a FROM globals.t; SET autocommit = 1; SET autocommit = DEFAULT; SELECT @@autocommit;
        SET GLOBAL autocommit = ON; SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SELECT @@transaction_isolation, @@GLOBAL.transaction_isolation;
        SET GLOBAL TRANSACTION READ ONLY; SELECT @@transaction_read_only;
        """,
        """
        SELECT @@autocommit, @@transaction_isolation, @@transaction_read_only;
        SHOW VARIABLES LIKE 'transaction%'; SHOW GLOBAL VARIABLES LIKE 'transaction%';
        INSERT INTO globals.t VALUES (6, 6);
        SET SESSION TRANSACTION READ WRITE; INSERT INTO globals.t VALUES (7, 7);
        """,
        "SELECT a FROM globals.t ORDER BY a");
  }

  @Test
  void otherVariables() throws Exception {
    same(
        """
        SET GLOBAL time_zone = '+03:00', GLOBAL div_precision_increment = 7,
          GLOBAL wait_timeout = 4000, GLOBAL interactive_timeout = 5000,
          GLOBAL foreign_key_checks = OFF;
        SELECT @@time_zone, 1 / 3, @@wait_timeout, @@interactive_timeout, @@foreign_key_checks;
        """,
        """
        SELECT @@time_zone, 1 / 3, FROM_UNIXTIME(0), @@foreign_key_checks;
        SELECT @@wait_timeout, @@interactive_timeout, @@GLOBAL.wait_timeout;
        SHOW VARIABLES WHERE Variable_name IN ('wait_timeout', 'interactive_timeout');
        SHOW GLOBAL VARIABLES LIKE 'foreign_key_checks'; SHOW GLOBAL VARIABLES LIKE 'time_zone';
        SET wait_timeout = 7; SELECT @@wait_timeout; SET wait_timeout = DEFAULT;
        SELECT @@wait_timeout;
        """,
        """
        SET GLOBAL timestamp = 5; SET GLOBAL nope = 1; SET SESSION max_connections = 3;
        SET GLOBAL sql_mode = 'nope'; SET GLOBAL time_zone = 'nowhere';
        SET GLOBAL div_precision_increment = 99; SHOW WARNINGS;
        SET GLOBAL wait_timeout = 0; SHOW WARNINGS; SELECT @@GLOBAL.wait_timeout;
        SET wait_timeout = 'x'; SET GLOBAL autocommit = 7;
        SELECT @@GLOBAL.timestamp; SELECT @@GLOBAL.time_zone, @@GLOBAL.div_precision_increment;
        """,
        "SELECT @@time_zone, 1 / 3");
  }

  @Test
  void whoComesWhenAllPlacesAreTaken() throws Exception {
    List<List<String>> told = new ArrayList<>();
    for (int port : ports()) {
      session(port, "CREATE USER IF NOT EXISTS crowd; SET GLOBAL max_connections = 1;");
      List<String> answers = new ArrayList<>();
      try (Connection taken = MiniCluster.connect(port, "", "")) {
        assertTrue(taken.isValid(5));
        answers.add(as(port, "crowd", "SELECT 1"));
        answers.add(as(port, "root", "SELECT @@max_connections, @@GLOBAL.max_connections"));
        answers.add(as(port, "root", "SHOW VARIABLES LIKE 'max_connections'"));
        answers.add(as(port, "root", "SET GLOBAL max_connections = 0; SHOW WARNINGS"));
        answers.add(as(port, "root", "SET GLOBAL max_connections = 'x'"));
      } finally {
        session(port, "SET GLOBAL max_connections = 400");
      }
      answers.add(as(port, "crowd", "SELECT @@max_connections"));
      session(port, "DROP USER crowd; SET GLOBAL max_connections = DEFAULT;");
      told.add(answers);
    }
    assertEquals(told.getFirst(), told.getLast());
  }

  private String as(int port, String user, String statements) throws Exception {
    List<String> options = List.of("--force", "--table", "-u" + user);
    return MysqlClient.run(directory, port, options, statements).output();
  }

  @Test
  void processesTellTheirClientsPorts() throws Exception {
    for (int port : ports()) {
      for (String list :
          List.of("SHOW PROCESSLIST", "SELECT HOST FROM information_schema.PROCESSLIST")) {
        String told = session(port, list);
        assertTrue(told.matches("(?s).*\\b127\\.0\\.0\\.1:\\d+ .*"), told);
      }
    }
  }

  private static void query(Socket socket, String sql) throws IOException {
    int length = sql.length() + 1;
    byte[] header = {(byte) length, (byte) (length >> 8), 0, 0, 3};
    RawClient.send(socket, header, sql.getBytes(US_ASCII));
  }

  @Test
  void whoSendsNothingForTooLongIsToldSo() throws Exception {
    List<byte[]> lastWords = new ArrayList<>();
    for (int port : ports()) {
      try (Socket socket = RawClient.connect(port)) {
        int capabilities = RawClient.CAPABILITIES & ~Capability.SSL;
        RawClient.send(socket, RawClient.loginPacket(1, "root", capabilities, 0));
        RawClient.packet(socket);
        query(socket, "SET wait_timeout = 2");
        RawClient.packet(socket);
        // a long statement is no silence
        query(socket, "DO SLEEP(3)");
        assertEquals(0, RawClient.packet(socket)[4]);
        long began = System.nanoTime();
        lastWords.add(RawClient.untilEnd(socket));
        double seconds = (System.nanoTime() - began) / 1e9;
        assertTrue(seconds > 1.5 && seconds < 10, seconds + " s");
      }
    }
    assertArrayEquals(lastWords.getFirst(), lastWords.getLast());
    assertTrue(new String(lastWords.getLast(), US_ASCII).contains("because of inactivity"));
  }
}
