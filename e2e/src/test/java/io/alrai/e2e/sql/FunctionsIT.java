package io.alrai.e2e.sql;

import static io.alrai.e2e.Servers.column;
import static io.alrai.e2e.Servers.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the scripts about stored functions cannot compare with a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class FunctionsIT {
  private static final String TABLE =
      "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8";
  private static final String TWICE =
      "CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN n * 2";

  private static final String SUMMED =
      "CREATE FUNCTION summed(n INT) RETURNS INT READS SQL DATA"
          + " RETURN (SELECT SUM(b) FROM t WHERE a <= n)";

  private static void refused(Connection connection, String words, String sql) {
    SQLException error = assertThrows(SQLException.class, () -> run(connection, sql));
    assertEquals(1235, error.getErrorCode(), error.getMessage());
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }

  private static Connection open(Servers servers, String schema, String properties)
      throws SQLException {
    Servers.freshSchema(servers.cluster().port(), schema);
    Connection connection = MiniCluster.connect(servers.cluster().port(), schema, properties);
    run(connection, TABLE, "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30), (4, 40)");
    return connection;
  }

  @Test
  void preparedStatements(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "funcprepared", "&useServerPrepStmts=true")) {
      run(connection, TWICE);
      try (PreparedStatement one =
              connection.prepareStatement("SELECT twice(b) FROM t WHERE a = ?");
          PreparedStatement all =
              connection.prepareStatement("SELECT twice(?) + a FROM t ORDER BY twice(a) DESC");
          PreparedStatement write =
              connection.prepareStatement("INSERT INTO t VALUES (twice(?), twice(?))")) {
        assertEquals("twice(b)", one.getMetaData().getColumnLabel(1));
        for (int i = 1; i <= 2; i++) {
          one.setInt(1, i);
          assertEquals(List.of(Integer.toString(i * 20)), values(one));
          all.setInt(1, i);
          int first = i * 2 + (i == 1 ? 4 : 20);
          assertEquals(Integer.toString(first), values(all).getFirst());
          write.setInt(1, i * 10);
          write.setInt(2, i * 100);
          assertEquals(1, write.executeUpdate());
        }
      }
      assertEquals(
          List.of("200", "400"), column(connection, "SELECT b FROM t WHERE a > 4 ORDER BY a"));
    }
  }

  private static List<String> values(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (result.next()) {
        values.add(result.getString(1));
      }
      return values;
    }
  }

  /** New places of rows, and such as a statement makes for itself, know it. */
  @Test
  void tablesThatComeLater(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "funclater", "")) {
      run(
          connection,
          TWICE,
          "CREATE TABLE later (k INT PRIMARY KEY, n INT) PARTITION BY HASH(k) PARTITIONS 5",
          "CREATE TABLE alone (k INT PRIMARY KEY, n INT) SINGLE",
          "CREATE TABLE copied AS SELECT a, twice(b) AS d FROM t",
          "INSERT INTO later SELECT twice(a), twice(b) FROM t",
          "INSERT INTO alone VALUES (twice(1), twice(2)), (twice(2), 1)");
      assertEquals(
          List.of("20", "40", "60", "80"), column(connection, "SELECT d FROM copied ORDER BY 1"));
      assertEquals(
          List.of("40", "80", "120", "160"),
          column(connection, "SELECT twice(n) FROM later ORDER BY k"));
      assertEquals(
          List.of("2", "4"),
          column(
              connection,
              "SELECT t.a FROM t JOIN later ON twice(t.a) = later.k JOIN alone ON alone.k = t.a"
                  + " WHERE twice(t.b) = later.n ORDER BY t.a"));
    }
  }

  /** Column indexes know nothing of it: the rows' own servers answer. */
  @Test
  void besideColumnIndexes(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "funcindexed", "")) {
      run(
          connection,
          TWICE,
          "CREATE CLUSTERED COLUMNAR INDEX ci ON t (a, b)",
          "SET workload_type = 'AP'");
      assertEquals(List.of("200"), column(connection, "SELECT SUM(twice(b)) FROM t"));
      assertEquals(
          List.of("70"), column(connection, "SELECT SUM(b) FROM t WHERE twice(a) > 4 AND b > 5"));
    }
  }

  /** Each server would have a value of its own. */
  @Test
  void valuesThatVaryStayOutOfCopies(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "funcvarying", "")) {
      run(
          connection,
          "CREATE FUNCTION fresh() RETURNS VARCHAR(40) NO SQL RETURN UUID()",
          "CREATE FUNCTION below() RETURNS VARCHAR(40) NO SQL RETURN CONCAT('<', fresh())",
          "CREATE FUNCTION same() RETURNS VARCHAR(40) NO SQL RETURN 'x'",
          "CREATE TABLE bc (a INT PRIMARY KEY, v VARCHAR(50)) BROADCAST",
          "INSERT INTO bc VALUES (1, fresh()), (2, below()), (3, same())");
      run(connection, "UPDATE bc SET v = fresh() WHERE a = 1", "UPDATE bc SET v = below()");
      refused(
          connection,
          "in a write of a broadcast table",
          "INSERT INTO bc VALUES (1, 'x') ON DUPLICATE KEY UPDATE v = fresh()");
      run(connection, "UPDATE bc SET v = same() WHERE a = 3");
      refused(
          connection,
          "in a trigger of a broadcast table",
          "CREATE TRIGGER g BEFORE INSERT ON bc FOR EACH ROW SET NEW.v = same()");
      run(connection, "INSERT INTO bc VALUES (4, 'no trigger')");
      for (int i = 0; i < 8; i++) {
        assertEquals(
            column(connection, "SELECT v FROM bc ORDER BY a"),
            column(connection, "SELECT v FROM bc WHERE a + " + i + " > 0 ORDER BY a"));
      }
    }
  }

  /** It is nowhere else than its schema, and goes with it. */
  @Test
  void theyGoWithTheirDatabase(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "funcgone", "")) {
      run(connection, TWICE, "DROP DATABASE funcgone", "CREATE DATABASE funcgone", "USE funcgone");
      SQLException error =
          assertThrows(SQLException.class, () -> run(connection, "SELECT funcgone.twice(1)"));
      assertEquals(1305, error.getErrorCode());
      run(connection, TWICE);
      assertEquals(List.of("2"), column(connection, "SELECT twice(1)"));
    }
  }

  /** A name of MySQL's own would mean another function in a statement of one shard. */
  @Test
  void namesOfMysqlsOwnFunctions(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "funcnative", "")) {
      List<String> names =
          List.of(
              "abs", "now", "count", "in", "values", "left", "key", "date", "user", "any", "value");
      for (String name : names) {
        refused(
            connection,
            "function named " + name,
            "CREATE FUNCTION `" + name + "` (n INT) RETURNS INT NO SQL RETURN n");
      }
      assertEquals(List.of("1"), column(connection, "SELECT ABS(-1)"));
      assertEquals(
          List.of(),
          column(
              connection,
              "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA ="
                  + " 'funcnative'"));
    }
  }

  /** Transfers go on meanwhile: the statement and what it calls see one moment. */
  @Test
  void aStatementAndItsFunctionsSeeOneSnapshot(Servers servers) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Connection connection = open(servers, "funcsnapshot", "");
        Connection writer = servers.cluster().connect("funcsnapshot");
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      run(connection, SUMMED);
      Future<?> transfers =
          threads.submit(() -> {
            while (!over.get()) {
              run(
                  writer,
                  "START TRANSACTION",
                  "UPDATE t SET b = b - 1 WHERE a = 1",
                  "UPDATE t SET b = b + 1 WHERE a = 4",
                  "COMMIT");
            }
            return null;
          });
      try {
        for (int i = 0; i < 20; i++) {
          assertEquals(
              List.of("1"),
              column(
                  connection,
                  "SELECT summed(4) = 100 AND summed(1) + SUM(b) = 100 FROM t WHERE a > 1"));
          assertEquals(
              List.of("0"),
              column(
                  connection,
                  "SELECT COUNT(*) FROM t AS x WHERE summed(x.a) <>"
                      + " (SELECT SUM(b) FROM t WHERE t.a <= x.a)"));
        }
      } finally {
        over.set(true);
      }
      transfers.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void theyAreThereAfterARestart() throws SQLException {
    try (MiniCluster mini = MiniCluster.start(2)) {
      try (Connection connection = mini.connect("")) {
        run(connection, "CREATE DATABASE kept", "USE kept", TABLE, TWICE, SUMMED);
        run(connection, "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)");
      }
      mini.restart();
      try (Connection connection = mini.connect("kept")) {
        assertEquals(List.of("12"), column(connection, "SELECT SUM(twice(b)) FROM t"));
        run(connection, "CREATE TABLE n (k INT PRIMARY KEY) PARTITION BY KEY(k) PARTITIONS 3");
        run(connection, "INSERT INTO n SELECT twice(a) FROM t");
        assertEquals(List.of("4"), column(connection, "SELECT k FROM n WHERE k = twice(2)"));
        assertEquals(
            List.of("summed", "twice"),
            column(
                connection,
                "SELECT ROUTINE_NAME FROM information_schema.ROUTINES"
                    + " WHERE ROUTINE_SCHEMA = 'kept' ORDER BY 1"));
        assertEquals(
            List.of("1", "3", "6"), column(connection, "SELECT summed(a) FROM t ORDER BY a"));
        run(connection, "DROP FUNCTION twice");
        assertEquals(
            1305,
            assertThrows(SQLException.class, () -> run(connection, "SELECT twice(a) FROM t"))
                .getErrorCode());
      }
    }
  }

  @Test
  void aDeadlockIsForNoHandlerOfAFunction(Servers servers) throws Exception {
    try (Connection light = open(servers, "funcdeadlock", "");
        Connection heavy = MiniCluster.connect(servers.cluster().port(), "funcdeadlock", "");
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      run(
          light,
          "CREATE TABLE one (a INT PRIMARY KEY, b INT) SINGLE",
          "INSERT INTO one VALUES (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)",
          "CREATE FUNCTION patient(n INT) RETURNS INT MODIFIES SQL DATA BEGIN"
              + " DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @caught = n;"
              + " UPDATE one SET b = 1 WHERE a = n; INSERT INTO t VALUES (100, n); RETURN n; END",
          "SET @caught = 0",
          "START TRANSACTION",
          "UPDATE one SET b = 1 WHERE a = 1");
      run(heavy, "START TRANSACTION", "UPDATE one SET b = b + 1 WHERE a > 1");
      Future<?> waiting =
          other.submit(() -> {
            run(heavy, "UPDATE one SET b = 2 WHERE a = 1");
            return null;
          });
      SQLException error = assertThrows(SQLException.class, () -> run(light, "SELECT patient(2)"));
      assertEquals(1213, error.getErrorCode(), error.getMessage());
      waiting.get(30, TimeUnit.SECONDS);
      run(heavy, "COMMIT");
      assertEquals(List.of("0"), column(light, "SELECT @caught"));
      assertEquals(List.of(), column(light, "SELECT a FROM t WHERE a = 100"));
    }
  }
}
