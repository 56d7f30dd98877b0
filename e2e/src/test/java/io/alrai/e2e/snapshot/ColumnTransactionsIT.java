package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What sessions see by SELECTs over column indexes, beside what they see of rows. */
@ExtendWith(Servers.Shared.class)
final class ColumnTransactionsIT {
  private static final int ROWS = 40;
  private static final String SUM = "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(b) FROM t";
  private static final String SUM_OF_ROWS = "SELECT /*+ WORKLOAD_TYPE(TP) */ SUM(b) FROM t";

  private static Connection indexed(Servers servers, String schema) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, schema, ROWS, 10);
    Connection connection = MiniCluster.connect(port, schema, "");
    ColumnIndexed.create(connection, "t", "a");
    return connection;
  }

  @Test
  void aSessionSeesItsOwnWritesAtOnce(Servers servers) throws SQLException {
    try (Connection connection = indexed(servers, "colown");
        Statement statement = connection.createStatement()) {
      long before = ColumnIndexed.answered(servers.cluster().port());
      for (int i = 1; i <= 50; i++) {
        statement.executeUpdate("UPDATE t SET b = b + 1 WHERE a = " + (1 + i % ROWS));
        assertEquals(Integer.toString(ROWS * 10 + i), Servers.only(statement, SUM));
      }
      assertEquals(50, ColumnIndexed.answered(servers.cluster().port()) - before);
    }
  }

  @Test
  void aTransactionReadsBothStoresAtOneSnapshot(Servers servers) throws SQLException {
    try (Connection connection = indexed(servers, "colsnap");
        Statement statement = connection.createStatement();
        Connection other = MiniCluster.connect(servers.cluster().port(), "colsnap", "");
        Statement writer = other.createStatement()) {
      statement.execute("START TRANSACTION");
      assertEquals("400", Servers.only(statement, SUM));
      writer.executeUpdate("UPDATE t SET b = b + 1");
      assertEquals("400", Servers.only(statement, SUM_OF_ROWS));
      assertEquals("400", Servers.only(statement, SUM));
      assertEquals("440", Servers.only(writer, SUM));
      statement.executeUpdate("INSERT INTO t VALUES (1000, 5)");
      assertEquals("405", Servers.only(statement, SUM));
      statement.execute("ROLLBACK");
      assertEquals("440", Servers.only(statement, SUM));
      statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      statement.execute("START TRANSACTION");
      assertEquals("440", Servers.only(statement, SUM));
      writer.executeUpdate("UPDATE t SET b = b + 1");
      assertEquals("480", Servers.only(statement, SUM));
      statement.execute("COMMIT");
    }
  }

  @Test
  void theTotalOfABankIsNeverWrong(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colbank");
        Statement statement = connection.createStatement()) {
      AtomicBoolean stop = new AtomicBoolean();
      CompletableFuture<Integer> transfers =
          CompletableFuture.supplyAsync(
              () -> transfer(port, "colbank", List.of("t"), stop), Thread::startVirtualThread);
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String sum = Servers.only(statement, SUM);
        if (!sum.equals("400")) {
          wrong.add(sum);
        }
      }
      stop.set(true);
      assertTrue(transfers.get() > 0);
      assertEquals(List.of(), wrong);
    }
  }

  private static int transfer(int port, String schema, List<String> tables, AtomicBoolean stop) {
    SplittableRandom dice = new SplittableRandom(1);
    int done = 0;
    try (Connection connection = MiniCluster.connect(port, schema, "");
        Statement statement = connection.createStatement()) {
      while (!stop.get()) {
        int from = 1 + dice.nextInt(ROWS);
        int to = 1 + dice.nextInt(ROWS);
        String giver = tables.get(done % tables.size());
        String taker = tables.get((done + 1) % tables.size());
        statement.execute("START TRANSACTION");
        statement.executeUpdate("UPDATE " + giver + " SET b = b - 1 WHERE a = " + from);
        statement.executeUpdate("UPDATE " + taker + " SET b = b + 1 WHERE a = " + to);
        statement.execute("COMMIT");
        done++;
      }
      return done;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Money moves between a table with a column index and one without. */
  @Test
  void aTableWithoutAnIndexIsReadAtTheSameSnapshot(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colmixed");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE r (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 3");
      statement.execute("INSERT INTO r SELECT a, b FROM t");
      long before = ColumnIndexed.answered(port);
      AtomicBoolean stop = new AtomicBoolean();
      CompletableFuture<Integer> transfers =
          CompletableFuture.supplyAsync(
              () -> transfer(port, "colmixed", List.of("t", "r"), stop),
              Thread::startVirtualThread);
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String sum =
            Servers.only(
                statement,
                i % 2 == 0
                    ? "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(t.b + r.b) FROM t JOIN r ON t.a = r.a"
                    : "SELECT /*+ WORKLOAD_TYPE(AP) */ (SELECT SUM(b) FROM t)"
                        + " + (SELECT SUM(b) FROM r WHERE a > 0) FROM t WHERE a < 2");
        if (!sum.equals("800")) {
          wrong.add(sum);
        }
      }
      stop.set(true);
      assertTrue(transfers.get() > 0);
      assertEquals(List.of(), wrong);
      assertEquals(100, ColumnIndexed.answered(port) - before);
    }
  }

  @Test
  void aTransactionReadsTablesWithAndWithoutAnIndexAtItsSnapshot(Servers servers)
      throws SQLException {
    String sum = "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(t.b + r.b) FROM t JOIN r ON t.a = r.a";
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colrows");
        Statement statement = connection.createStatement();
        Connection other = MiniCluster.connect(port, "colrows", "");
        Statement writer = other.createStatement()) {
      statement.execute("CREATE TABLE r (a INT PRIMARY KEY, b INT) BROADCAST");
      statement.execute("INSERT INTO r SELECT a, b FROM t");
      long before = ColumnIndexed.answered(port);
      statement.execute("START TRANSACTION");
      assertEquals("800", Servers.only(statement, sum));
      writer.executeUpdate("UPDATE r SET b = b + 1");
      writer.executeUpdate("UPDATE t SET b = b + 1");
      assertEquals("800", Servers.only(statement, sum));
      assertEquals("880", Servers.only(writer, sum));
      assertEquals(3, ColumnIndexed.answered(port) - before);
      statement.executeUpdate("UPDATE t SET b = b + 1 WHERE a = 1");
      assertEquals("802", Servers.only(statement, sum), "as its own write is current");
      statement.execute("ROLLBACK");
      statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      statement.execute("START TRANSACTION");
      assertEquals("880", Servers.only(statement, sum));
      writer.executeUpdate("UPDATE r SET b = b + 1");
      assertEquals("920", Servers.only(statement, sum));
      statement.execute("COMMIT");
      assertEquals(5, ColumnIndexed.answered(port) - before);
      writer.execute("ALTER TABLE r ADD COLUMN c INT DEFAULT 2");
      assertEquals(
          "80",
          Servers.only(
              statement, "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(r.c) FROM t JOIN r ON t.a = r.a"));
      assertEquals(6, ColumnIndexed.answered(port) - before);
    }
  }

  @Test
  void preparedStatementsGetBinaryRows(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    indexed(servers, "colbin").close();
    try (Connection connection = MiniCluster.connect(port, "colbin", "&useServerPrepStmts=true");
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT /*+ WORKLOAD_TYPE(AP) */ b, COUNT(*), AVG(a), MAX(a) FROM t WHERE a > ?"
                    + " GROUP BY b")) {
      long before = ColumnIndexed.answered(port);
      for (int least = 0; least < 3; least++) {
        select.setInt(1, least);
        try (ResultSet row = select.executeQuery()) {
          assertTrue(row.next());
          assertEquals(10, row.getInt(1));
          assertEquals(ROWS - least, row.getLong(2));
          assertEquals(ROWS, row.getInt(4));
          assertEquals(4, row.getBigDecimal(3).scale());
        }
      }
      assertEquals(3, ColumnIndexed.answered(port) - before);
    }
  }

  @Test
  void explainSaysWhereAStatementGoes(Servers servers) throws SQLException {
    try (Connection connection = indexed(servers, "colexp");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE other (a INT PRIMARY KEY)");
      assertEquals(
          "workload: AP (hint workload_type(AP))", Servers.only(statement, "EXPLAIN " + SUM));
      String byCost = Servers.only(statement, "EXPLAIN COST SELECT b FROM t WHERE b > 1");
      assertTrue(byCost.matches("workload: TP .cost .* is below the threshold 50000."), byCost);
      assertEquals(
          "workload: TP (its partition key is given)",
          Servers.only(statement, "EXPLAIN COST SELECT b FROM t WHERE a = 1"));
      assertEquals(
          "workload: TP (column indexes do not take the table colexp.other, which has no column"
              + " index)",
          Servers.only(statement, "EXPLAIN PHYSICAL SELECT COUNT(*) FROM other"));
      try (ResultSet lines =
          statement.executeQuery(
              "EXPLAIN SELECT /*+ WORKLOAD_TYPE(AP) */ COUNT(*) FROM t JOIN other ON b = other.a"
                  + " WHERE other.a > 3")) {
        List<String> all = new ArrayList<>();
        while (lines.next()) {
          all.add(lines.getString(1).strip());
        }
        assertTrue(
            all.contains(
                "stores: colexp.t from its column index, colexp.other from its rows; all at one"
                    + " snapshot"),
            all.toString());
        assertTrue(
            all.contains("read rows of colexp.other (a) where GREATER($0, 3)"), all.toString());
      }
      statement.execute("SET workload_type = AP");
      assertEquals("AP", Servers.only(statement, "SELECT @@workload_type"));
      assertEquals(
          "workload: AP (variable workload_type = AP)",
          Servers.only(statement, "EXPLAIN SELECT SUM(b) FROM t"));
      statement.execute("SET workload_type = DEFAULT");
      assertEquals("AUTO", Servers.only(statement, "SELECT @@workload_type"));
      SQLException refused =
          assertThrows(SQLException.class, () -> statement.execute("SET workload_type = 'OLAP'"));
      assertEquals(1231, refused.getErrorCode());
    }
  }
}
