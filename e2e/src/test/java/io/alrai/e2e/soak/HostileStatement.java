package io.alrai.e2e.soak;

import com.mysql.cj.jdbc.JdbcStatement;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * The kinds of statements in whose middle clients go. All of them work in {@link #SCHEMA}, which
 * nobody else uses, and on names of the client's own where they make something.
 */
enum HostileStatement {
  ROW_OF_MEGABYTES((connection, random, own) -> {
    read(connection, "SELECT pad, a FROM big WHERE a = " + random.nextInt(8));
  }),
  ROW_OVER_PACKETS((connection, random, own) -> {
    read(connection, "SELECT REPEAT('z', 16777216), 1");
  }),
  ROWS_OF_ALL_PLACES((connection, random, own) -> {
    stream(connection, "SELECT a, pad FROM wide");
  }),
  ROWS_MERGED((connection, random, own) -> {
    stream(connection, "SELECT a, pad FROM wide ORDER BY b, a");
  }),
  GROUPS((connection, random, own) -> {
    read(connection, "SELECT b, COUNT(*), MAX(pad) FROM wide GROUP BY b HAVING COUNT(*) > 1");
  }),
  JOINED((connection, random, own) -> {
    read(connection, "SELECT x.a, y.pad FROM wide x JOIN wide y ON x.b = y.a WHERE x.a < 300");
  }),
  PREPARED((connection, random, own) -> {
    for (int i = 0; i < 5; i++) {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT pad FROM wide WHERE a > ? ORDER BY a")) {
        statement.setInt(1, random.nextInt(2_000));
        drain(statement.executeQuery());
      }
    }
  }),
  LONG_DATA((connection, random, own) -> {
    try (PreparedStatement statement =
        connection.prepareStatement("REPLACE INTO big VALUES (?, ?)")) {
      statement.setInt(1, 8 + random.nextInt(8));
      statement.setBinaryStream(2, new ByteArrayInputStream(new byte[2 << 20]));
      statement.executeUpdate();
    }
  }),
  ROWS_WRITTEN((connection, random, own) -> {
    StringBuilder sql = new StringBuilder("REPLACE INTO written VALUES (-1, 0, '')");
    int first = random.nextInt(100_000);
    for (int i = 0; i < 1_000; i++) {
      sql.append(",(").append(first + i).append(", 1, REPEAT('w', 300))");
    }
    execute(connection, sql.toString());
  }),
  TRANSFER((connection, random, own) -> {
    connection.setAutoCommit(false);
    execute(connection, "UPDATE acc SET n = n - 1 WHERE a = " + random.nextInt(64));
    execute(connection, "UPDATE acc SET n = n + 1 WHERE a = " + random.nextInt(64));
    connection.commit();
  }),
  CHAINED((connection, random, own) -> {
    execute(connection, "SET completion_type = " + random.nextInt(3));
    execute(connection, random.nextBoolean() ? "BEGIN" : "START TRANSACTION READ ONLY");
    read(connection, "SELECT n FROM acc WHERE a = " + random.nextInt(64));
    execute(connection, random.nextBoolean() ? "COMMIT" : "ROLLBACK");
    execute(connection, "INSERT INTO written VALUES (" + -random.nextInt(1 << 30) + ", 2, '')");
  }),
  LOCKED_ROWS((connection, random, own) -> {
    connection.setAutoCommit(false);
    read(connection, "SELECT n FROM acc WHERE a BETWEEN 10 AND 20 FOR UPDATE");
    read(connection, "SELECT SLEEP(0.3)");
    connection.rollback();
  }),
  XA((connection, random, own) -> {
    String xid = "'" + own + "-" + random.nextInt(1 << 30) + "'";
    execute(connection, "XA START " + xid);
    execute(connection, "UPDATE xrows SET n = n + 1 WHERE a = " + random.nextInt(1_000));
    execute(connection, "UPDATE xrows SET n = n + 1 WHERE a = " + random.nextInt(1_000));
    execute(connection, "XA END " + xid);
    execute(connection, "XA PREPARE " + xid);
    execute(connection, (random.nextBoolean() ? "XA COMMIT " : "XA ROLLBACK ") + xid);
  }),
  LOADED((connection, random, own) -> {
    StringBuilder file = new StringBuilder();
    int first = 1_000_000 + random.nextInt(100_000);
    for (int i = 0; i < 20_000; i++) {
      file.append(first + i).append("\t3\tloaded row that is a little longer\n");
    }
    try (Statement statement = connection.createStatement()) {
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(
              new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8)));
      statement.execute("LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE written");
    }
  }),
  COPIED((connection, random, own) -> {
    execute(
        connection,
        "INSERT INTO written SELECT a - 5000000, b, pad FROM wide WHERE a < 400"
            + " ON DUPLICATE KEY UPDATE b = 9");
  }),
  TABLES_MADE((connection, random, own) -> {
    execute(connection, "CREATE TABLE IF NOT EXISTS " + own + " (a INT PRIMARY KEY, b INT)");
    execute(connection, "INSERT IGNORE INTO " + own + " VALUES (1, 1), (2, 2), (3, 3)");
    execute(connection, "ALTER TABLE " + own + " ADD COLUMN c INT");
    execute(connection, "CREATE OR REPLACE VIEW v" + own + " AS SELECT a FROM " + own);
    execute(connection, "DROP VIEW v" + own);
    execute(connection, "DROP TABLE " + own);
  }),
  SCHEMAS_MADE((connection, random, own) -> {
    execute(connection, "CREATE DATABASE IF NOT EXISTS " + own);
    execute(connection, "DROP DATABASE " + own);
  }),
  ROUTINES_MADE((connection, random, own) -> {
    execute(connection, "DROP PROCEDURE IF EXISTS " + own);
    execute(
        connection,
        "CREATE PROCEDURE " + own + "() BEGIN UPDATE acc SET n = n WHERE a = 1; SELECT 1; END");
    execute(connection, "CALL " + own + "()");
    execute(connection, "DROP PROCEDURE " + own);
  }),
  NAMED_LOCK((connection, random, own) -> {
    read(connection, "SELECT GET_LOCK('hostile " + random.nextInt(3) + "', 1), SLEEP(0.1)");
    read(connection, "SELECT RELEASE_ALL_LOCKS()");
  }),
  LOCKED_TABLES((connection, random, own) -> {
    execute(connection, "LOCK TABLES locked WRITE");
    execute(connection, "REPLACE INTO locked VALUES (" + random.nextInt(100) + ", 1)");
    execute(connection, "UNLOCK TABLES");
  }),
  ALL_LOCKED(
      (connection, random, own) -> {
        execute(connection, "FLUSH TABLES WITH READ LOCK");
        execute(connection, "UNLOCK TABLES");
      },
      false),
  TEMPORARY_TABLE((connection, random, own) -> {
    execute(connection, "CREATE TEMPORARY TABLE tmp (a INT PRIMARY KEY, b INT)");
    execute(connection, "INSERT INTO tmp SELECT a, b FROM wide WHERE a < 500");
    read(connection, "SELECT COUNT(*), MAX(pad) FROM tmp JOIN wide USING (a)");
  }),
  SETTINGS((connection, random, own) -> {
    for (String set :
        new String[] {
          "insert_id = 5000",
          "rand_seed1 = 5",
          "timestamp = 1700000000",
          "low_priority_updates = 1",
          "max_error_count = 100",
          "sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
          "time_zone = '+03:00'",
          "binlog_direct_non_transactional_updates = ON",
          "@a = (@b := 5)",
          "sql_log_off = 1"
        }) {
      if (random.nextBoolean()) {
        executeOrRefuse(connection, "SET " + set);
      }
    }
    read(connection, "SHOW TABLES");
    read(connection, "SELECT RAND(), a FROM wide WHERE a = 7");
    execute(connection, "INSERT INTO ids (b) VALUES (1)");
  }),
  CALLED((connection, random, own) -> {
    execute(connection, "CALL many(20)");
  }),
  HANDLER_READ((connection, random, own) -> {
    execute(connection, "HANDLER one OPEN");
    read(connection, "HANDLER one READ FIRST LIMIT 500");
    execute(connection, "HANDLER one CLOSE");
  }),
  SEVERAL_IN_A_TEXT((connection, random, own) -> {
    try (Statement statement = connection.createStatement()) {
      boolean rows =
          statement.execute(
              "SELECT pad FROM wide; UPDATE acc SET n = n WHERE a = 3; SELECT SLEEP(0.05);"
                  + " SELECT a FROM wide ORDER BY a");
      while (rows || statement.getUpdateCount() != -1) {
        rows = statement.getMoreResults();
      }
    }
  }),
  SYSTEM_TABLES((connection, random, own) -> {
    read(connection, "SELECT * FROM information_schema.columns");
    read(connection, "SHOW TABLE STATUS");
    read(connection, "SHOW VARIABLES");
  }),
  SLEPT((connection, random, own) -> {
    read(connection, "SELECT SLEEP(1.5), a FROM wide WHERE a = 11");
  }),
  EVALUATED_LONG((connection, random, own) -> {
    execute(connection, "SET @x = BENCHMARK(3000000, SHA2('a', 512))");
  }),
  FETCHED((connection, random, own) -> {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT a, pad FROM wide WHERE a > ?")) {
      statement.setFetchSize(50);
      statement.setInt(1, 10);
      drain(statement.executeQuery());
    }
  });

  /** Their database. */
  static final String SCHEMA = "hostile";

  /** What one does. */
  private interface Body {
    void run(Connection connection, Random random, String own) throws SQLException;
  }

  private final Body body;
  private final boolean mayStall;

  HostileStatement(Body body) {
    this(body, true);
  }

  HostileStatement(Body body, boolean mayStall) {
    this.body = body;
    this.mayStall = mayStall;
  }

  /** Whether a client may stall in it: not where it holds off everybody by right. */
  boolean mayStall() {
    return mayStall;
  }

  /**
   * Runs it.
   *
   * @param own a name that no other client uses
   */
  void run(Connection connection, Random random, String own) throws SQLException {
    body.run(connection, random, own);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void executeOrRefuse(Connection connection, String sql) throws SQLException {
    try {
      execute(connection, sql);
    } catch (SQLException refused) {
      if (refused.getErrorCode() == 0) {
        throw refused;
      }
    }
  }

  private static void read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      drain(statement.executeQuery(sql));
    }
  }

  private static void stream(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(Integer.MIN_VALUE);
      drain(statement.executeQuery(sql));
    }
  }

  private static void drain(ResultSet rows) throws SQLException {
    try (rows) {
      while (rows.next()) {
        rows.getString(1);
      }
    }
  }

  /** Makes all that they use. */
  static void prepare(Connection connection) throws SQLException {
    for (String sql :
        new String[] {
          "DROP DATABASE IF EXISTS " + SCHEMA,
          "CREATE DATABASE " + SCHEMA,
          "USE " + SCHEMA,
          "CREATE TABLE big (a INT PRIMARY KEY, pad LONGTEXT)",
          "INSERT INTO big VALUES (0, REPEAT('b', 3000000)), (1, REPEAT('b', 300000)),"
              + " (2, REPEAT('b', 70000)), (3, ''), (4, REPEAT('b', 6000000)), (5, NULL)",
          "CREATE TABLE wide (a INT PRIMARY KEY, b INT, pad VARCHAR(800))"
              + " PARTITION BY KEY(a) PARTITIONS 4",
          "CREATE TABLE written (a INT PRIMARY KEY, b INT, pad VARCHAR(400))",
          "CREATE TABLE acc (a INT PRIMARY KEY, n INT)",
          "CREATE TABLE xrows (a INT PRIMARY KEY, n INT)",
          "CREATE TABLE locked (a INT PRIMARY KEY, n INT)",
          "CREATE TABLE ids (a INT AUTO_INCREMENT PRIMARY KEY, b INT)",
          "CREATE TABLE one (a INT PRIMARY KEY, pad VARCHAR(800)) SINGLE",
          "CREATE PROCEDURE many(n INT) BEGIN WHILE n > 0 DO"
              + " UPDATE acc SET acc.n = acc.n WHERE a = n; SET n = n - 1; END WHILE;"
              + " SELECT COUNT(*) FROM wide; END"
        }) {
      execute(connection, sql);
    }
    StringBuilder wide = new StringBuilder("INSERT INTO wide VALUES (0, 0, '')");
    StringBuilder one = new StringBuilder("INSERT INTO one VALUES (0, '')");
    StringBuilder accounts = new StringBuilder("INSERT INTO acc VALUES (0, 100)");
    StringBuilder xrows = new StringBuilder("INSERT INTO xrows VALUES (0, 0)");
    for (int a = 1; a < 4_000; a++) {
      wide.append(",(").append(a).append(',').append(a % 500).append(", REPEAT('p', 600))");
      one.append(",(").append(a).append(", REPEAT('o', 600))");
      if (a < 1_000) {
        xrows.append(",(").append(a).append(", 0)");
      }
      if (a < 64) {
        accounts.append(",(").append(a).append(", 100)");
      }
    }
    for (StringBuilder rows : new StringBuilder[] {wide, one, accounts, xrows}) {
      execute(connection, rows.toString());
    }
  }
}
