package io.alrai.e2e.sql;

import static io.alrai.e2e.Servers.column;
import static io.alrai.e2e.Servers.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mysql.cj.jdbc.JdbcConnection;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What {@code handler.test} cannot show: several sessions, many rows. */
@ExtendWith(Servers.Shared.class)
class HandlerIT {
  private static final String TABLE =
      "CREATE TABLE t (a INT PRIMARY KEY, b INT, KEY kb (b)) PARTITION BY KEY(a) PARTITIONS 8";

  private static Connection connect(Servers servers, String schema) throws SQLException {
    return MiniCluster.connect(servers.cluster().port(), schema, "");
  }

  /** The first column; drivers do not take HANDLER for a query. */
  private static List<String> read(Connection connection, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      ResultSet rows = statement.getResultSet();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private static void fails(int errno, Connection connection, String sql) {
    SQLException error = assertThrows(SQLException.class, () -> run(connection, sql));
    assertEquals(errno, error.getErrorCode(), error.getMessage());
  }

  @Test
  void definitionsOfOtherSessions(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), "handlers");
    try (Connection mine = connect(servers, "handlers");
        Connection other = connect(servers, "handlers")) {
      run(mine, TABLE, "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)", "HANDLER t OPEN");
      String next = "HANDLER t READ kb NEXT";
      assertEquals(List.of("1"), read(mine, next));
      assertEquals(List.of("2"), read(mine, next));
      run(other, "CREATE TABLE elsewhere (a INT PRIMARY KEY)");
      assertEquals(List.of("3"), read(mine, next));
      run(other, "ALTER TABLE t ADD COLUMN c INT");
      assertEquals(List.of("1"), read(mine, next));
      run(other, "ALTER TABLE t DROP INDEX kb");
      fails(1176, mine, next);
      assertEquals(List.of("1"), read(mine, "HANDLER t READ NEXT"));
      assertEquals(List.of("2"), read(mine, "HANDLER t READ NEXT"));
      run(other, "TRUNCATE TABLE t");
      assertEquals(List.of(), read(mine, "HANDLER t READ NEXT"));
      run(other, "DROP TABLE t");
      fails(1146, mine, "HANDLER t READ NEXT");
      run(other, TABLE, "INSERT INTO t VALUES (5, 50)");
      assertEquals(List.of("5"), read(mine, next));
      run(mine, "HANDLER t CLOSE");
      fails(1109, mine, next);
    }
  }

  @Test
  void aResetClosesThem(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), "handlers");
    try (Connection mine = connect(servers, "handlers")) {
      run(mine, TABLE, "HANDLER t OPEN AS x");
      assertEquals(List.of(), read(mine, "HANDLER x READ FIRST"));
      mine.unwrap(JdbcConnection.class).resetServerState();
      fails(1109, mine, "HANDLER x READ FIRST");
      run(mine, "HANDLER handlers.t OPEN AS x");
    }
  }

  /** Each row comes once, both ways, whatever is written after and before it. */
  @Test
  void walksOverManyRows(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), "handlers");
    Random random = new Random(7);
    try (Connection mine = connect(servers, "handlers")) {
      run(mine, TABLE);
      List<String> rows =
          IntStream.range(0, 500)
              .mapToObj(i -> "(" + i + ", " + (i % 9 == 0 ? "NULL" : random.nextInt(40)) + ")")
              .toList();
      run(mine, "INSERT INTO t VALUES " + String.join(", ", rows), "HANDLER t OPEN");
      List<String> expected = column(mine, "SELECT a FROM t ORDER BY b, a");
      assertEquals(expected, walked(mine, "NEXT", random));
      assertEquals(expected.reversed(), walked(mine, "PREV", random));
      run(mine, "DELETE FROM t WHERE a % 2 = 1");
      assertEquals(column(mine, "SELECT a FROM t ORDER BY b, a"), walked(mine, "NEXT", random));
    }
  }

  private static List<String> walked(Connection connection, String way, Random random)
      throws SQLException {
    List<String> all = new ArrayList<>();
    List<String> some;
    do {
      int count = 1 + random.nextInt(60);
      some = read(connection, "HANDLER t READ kb " + way + " LIMIT " + count);
      all.addAll(some);
    } while (!some.isEmpty());
    return all;
  }
}
