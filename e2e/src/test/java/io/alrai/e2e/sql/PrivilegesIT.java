package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What scripts cannot say of privileges: logins, other sessions, prepared statements. */
@ExtendWith(Servers.Shared.class)
@Timeout(120)
class PrivilegesIT {
  private int port;
  private Connection root;

  @BeforeEach
  void open(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshRows(port, "rights", 8, 5);
    root = MiniCluster.connect(port, "rights", "");
    run(root, "DROP USER IF EXISTS r_ann, r_bob");
    run(root, "CREATE USER r_ann, r_bob");
  }

  @AfterEach
  void close() throws SQLException {
    run(root, "DROP USER IF EXISTS r_ann, r_bob");
    root.close();
  }

  private Connection login(String user, String schema) throws SQLException {
    return MiniCluster.connect(port, schema, "", user);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A mysqld would ask for the rights of Alrai's account there. */
  @Test
  void hintsSetNoMoreVariablesThanSetDoes() throws SQLException {
    try (Connection ann = login("r_ann", "")) {
      run(ann, "SELECT /*+ SET_VAR(sort_buffer_size = 1000000) */ 1");
      for (String variable : List.of("max_error_count=0", "sql_require_primary_key=1")) {
        SQLException refused =
            assertThrows(
                SQLException.class,
                () -> run(ann, "SELECT /*+ SET_VAR(" + variable + ") */ 1"),
                variable);
        assertEquals(1227, refused.getErrorCode());
      }
      run(ann, "SELECT /*+ RESOURCE_GROUP(USR_default) */ 1");
      assertEquals(List.of("1227"), rows(ann, "SHOW WARNINGS", 2));
    }
    run(root, "SELECT /*+ SET_VAR(max_error_count=0) */ 1");
  }

  private static List<String> rows(Connection connection, String sql, int column)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getString(column));
      }
    }
    return rows;
  }

  private static void refused(int errno, String sentence, Connection connection, String sql) {
    SQLException e = assertThrows(SQLException.class, () -> run(connection, sql), sql);
    assertEquals(errno, e.getErrorCode(), e.getMessage());
    assertEquals(sentence, e.getMessage());
  }

  @Test
  void aLoginWithASchemaNeedsSomethingInIt() throws SQLException {
    SQLException e = assertThrows(SQLException.class, () -> login("r_ann", "rights").close());
    assertEquals(1044, e.getErrorCode());
    assertEquals("Access denied for user 'r_ann'@'%' to database 'rights'", e.getMessage());
    e = assertThrows(SQLException.class, () -> login("r_ann", "nosuch").close());
    assertEquals(1044, e.getErrorCode());
    run(root, "GRANT DELETE ON rights.t TO r_ann");
    login("r_ann", "rights").close();
  }

  @Test
  void aPreparedStatementIsCheckedAtEachExecution() throws SQLException {
    run(root, "GRANT SELECT ON rights.t TO r_ann");
    String select = "SELECT b FROM t WHERE a = ?";
    try (Connection ann =
            MiniCluster.connect(
                port,
                "rights",
                "&useServerPrepStmts=true&emulateUnsupportedPstmts=false",
                "r_ann");
        PreparedStatement prepared = ann.prepareStatement(select)) {
      prepared.setInt(1, 3);
      try (ResultSet result = prepared.executeQuery()) {
        assertTrue(result.next());
        assertEquals(5, result.getInt(1));
      }
      run(root, "REVOKE SELECT ON rights.t FROM r_ann");
      SQLException e = assertThrows(SQLException.class, prepared::executeQuery);
      assertEquals(1142, e.getErrorCode());
      e = assertThrows(SQLException.class, () -> ann.prepareStatement(select).close());
      assertEquals(1142, e.getErrorCode());
      assertEquals(
          "SELECT command denied to user 'r_ann'@'127.0.0.1' for table 't'", e.getMessage());
      run(root, "GRANT SELECT ON rights.* TO r_ann");
      prepared.executeQuery().close();
    }
  }

  @Test
  void aPrivilegeOnARoutineIsAskedForAtEachCall() throws SQLException {
    run(root, "CREATE PROCEDURE twice(n INT) SELECT n * 2");
    run(root, "GRANT EXECUTE ON PROCEDURE rights.twice TO r_ann");
    try (Connection ann =
            MiniCluster.connect(
                port,
                "rights",
                "&useServerPrepStmts=true&emulateUnsupportedPstmts=false",
                "r_ann");
        PreparedStatement call = ann.prepareStatement("CALL twice(?)")) {
      call.setInt(1, 4);
      try (ResultSet result = call.executeQuery()) {
        assertTrue(result.next());
        assertEquals(8, result.getInt(1));
      }
      run(root, "REVOKE EXECUTE ON PROCEDURE rights.twice FROM r_ann");
      assertEquals(1370, assertThrows(SQLException.class, call::executeQuery).getErrorCode());
      run(root, "GRANT EXECUTE ON PROCEDURE Twice TO r_ann");
      call.executeQuery().close();
      run(root, "DROP PROCEDURE twice");
      run(root, "CREATE PROCEDURE twice(n INT) SELECT n");
      SQLException e = assertThrows(SQLException.class, call::executeQuery);
      assertEquals(1370, e.getErrorCode());
      assertEquals(
          "execute command denied to user 'r_ann'@'%' for routine 'rights.twice'", e.getMessage());
    }
  }

  @Test
  void aPlanIsSharedAndThePrivilegesAreNot() throws SQLException {
    run(root, "GRANT SELECT ON rights.t TO r_ann");
    run(root, "GRANT INSERT ON rights.t TO r_bob");
    try (Connection ann = login("r_ann", "rights");
        Connection bob = login("r_bob", "rights")) {
      String sql = "SELECT b FROM t WHERE a = 4";
      String denied = "SELECT command denied to user 'r_bob'@'127.0.0.1' for table 't'";
      for (int i = 0; i < 3; i++) {
        assertEquals(List.of("5"), rows(root, sql, 1));
        assertEquals(List.of("5"), rows(ann, sql, 1));
        refused(1142, denied, bob, sql);
      }
    }
  }

  @Test
  void aResetAndAnotherLoginPutTheDefaultRolesBack() throws SQLException {
    run(root, "CREATE ROLE r_reads, r_writes");
    run(root, "GRANT SELECT ON rights.* TO r_reads");
    run(root, "GRANT r_reads, r_writes TO r_ann, r_bob");
    run(root, "SET DEFAULT ROLE r_reads TO r_ann");
    String current = "SELECT CURRENT_ROLE()";
    try (Connection ann = login("r_ann", "")) {
      JdbcConnection session = ann.unwrap(JdbcConnection.class);
      assertEquals(List.of("`r_reads`@`%`"), rows(ann, current, 1));
      run(ann, "SET ROLE r_writes");
      refused(
          1142,
          "SELECT command denied to user 'r_ann'@'127.0.0.1' for table 't'",
          ann,
          "SELECT b FROM rights.t WHERE a = 1");
      session.resetServerState();
      assertEquals(List.of("`r_reads`@`%`"), rows(ann, current, 1));
      run(ann, "SET ROLE ALL");
      session.changeUser("r_bob", "");
      assertEquals(List.of("NONE"), rows(ann, current, 1));
      run(ann, "SET ROLE ALL");
      session.changeUser("r_ann", "");
      assertEquals(List.of("`r_reads`@`%`"), rows(ann, current, 1));
      assertEquals(List.of("5"), rows(ann, "SELECT b FROM rights.t WHERE a = 1", 1));
    } finally {
      run(root, "DROP ROLE r_reads, r_writes");
    }
  }

  @Test
  void anExpiredPasswordIsChangedBeforeAnythingElse() throws SQLException {
    run(root, "GRANT ALL ON *.* TO r_ann WITH GRANT OPTION");
    run(root, "ALTER USER r_ann PASSWORD EXPIRE");
    SQLException e = assertThrows(SQLException.class, () -> login("r_ann", "").close());
    assertEquals(1862, e.getErrorCode(), e.getMessage());
    String first =
        "You must reset your password using ALTER USER statement before executing this statement.";
    try (Connection ann =
        MiniCluster.connect(port, "", "&disconnectOnExpiredPasswords=false", "r_ann")) {
      for (String sql :
          List.of(
              "SELECT 1",
              "SET @x = 1",
              "BEGIN",
              "USE rights",
              "INSERT INTO rights.t VALUES (99, 99)",
              "GRANT SELECT ON rights.t TO r_bob")) {
        refused(1820, first, ann, sql);
      }
      run(ann, "SET PASSWORD = ''");
      run(ann, "SET @x = 1");
      assertEquals(List.of("5"), rows(ann, "SELECT b FROM rights.t WHERE a = 1", 1));
    }
    login("r_ann", "rights").close();
  }

  @Test
  void wrongPasswordsLockAnAccount() throws SQLException {
    run(root, "ALTER USER r_ann IDENTIFIED BY 'x' FAILED_LOGIN_ATTEMPTS 2 PASSWORD_LOCK_TIME 3");
    SQLException e = assertThrows(SQLException.class, () -> login("r_ann", "").close());
    assertEquals(1045, e.getErrorCode());
    String blocked =
        "Access denied for user 'r_ann'@'127.0.0.1'. Account is blocked for 3 day(s) (3 day(s)"
            + " remaining) due to 2 consecutive failed logins.";
    for (int i = 0; i < 2; i++) {
      e = assertThrows(SQLException.class, () -> login("r_ann", "").close());
      assertEquals(3955, e.getErrorCode());
      assertEquals(blocked, e.getMessage());
    }
    run(root, "ALTER USER r_ann IDENTIFIED BY ''");
    assertThrows(SQLException.class, () -> login("r_ann", "").close());
    run(root, "ALTER USER r_ann ACCOUNT UNLOCK");
    login("r_ann", "").close();
  }

  @Test
  void whatShowCreateUserShowsMakesTheAccountAgain() throws SQLException {
    for (String hex : List.of("OFF", "ON")) {
      run(root, "ALTER USER r_ann IDENTIFIED BY 'first'");
      run(root, "SET print_identified_with_as_hex = " + hex);
      String shown = rows(root, "SHOW CREATE USER r_ann", 1).getFirst();
      String as = hex.equals("ON") ? " AS 0x24" : " AS '$A$00A$";
      assertTrue(shown.contains(as), shown);
      run(root, "ALTER USER r_ann IDENTIFIED BY 'second'");
      run(root, "ALTER" + shown.substring("CREATE".length()));
      assertThrows(
          SQLException.class, () -> MiniCluster.connect(port, "", "", "r_ann", "second").close());
      MiniCluster.connect(port, "", "", "r_ann", "first").close();
      assertEquals(List.of(shown), rows(root, "SHOW CREATE USER r_ann", 1));
    }
    run(root, "ALTER USER r_ann IDENTIFIED BY ''");
  }

  @Test
  void nobodyLogsInToARole() throws SQLException {
    run(root, "CREATE ROLE r_reads");
    try {
      SQLException e = assertThrows(SQLException.class, () -> login("r_reads", "").close());
      assertEquals(3118, e.getErrorCode());
      run(root, "GRANT r_reads TO r_ann");
      run(root, "RENAME USER r_ann TO r_eve");
      e = assertThrows(SQLException.class, () -> login("r_ann", "").close());
      assertEquals(1045, e.getErrorCode());
      login("r_eve", "").close();
      run(root, "RENAME USER r_eve TO r_ann");
    } finally {
      run(root, "DROP ROLE r_reads");
    }
  }

  @Test
  void sessionsOfOthersAreNeitherSeenNorEnded() throws SQLException {
    try (Connection ann = login("r_ann", "");
        Connection bob = login("r_bob", "")) {
      String id = rows(bob, "SELECT CONNECTION_ID()", 1).getFirst();
      assertEquals(List.of("r_ann"), rows(ann, "SHOW PROCESSLIST", 2));
      assertEquals(
          List.of("r_ann"), rows(ann, "SELECT USER FROM information_schema.PROCESSLIST", 1));
      assertTrue(rows(root, "SHOW PROCESSLIST", 2).containsAll(List.of("r_ann", "r_bob")));
      refused(1095, "You are not owner of thread " + id, ann, "KILL " + id);
      refused(1095, "You are not owner of thread " + id, ann, "KILL QUERY " + id);
      run(root, "GRANT CONNECTION_ADMIN, PROCESS ON *.* TO r_ann");
      refused(1095, "You are not owner of thread " + id, ann, "KILL " + id);
    }
    try (Connection ann = login("r_ann", "");
        Connection bob = login("r_bob", "")) {
      String id = rows(bob, "SELECT CONNECTION_ID()", 1).getFirst();
      assertTrue(rows(ann, "SHOW PROCESSLIST", 2).contains("r_bob"));
      String rootId = rows(root, "SELECT CONNECTION_ID()", 1).getFirst();
      String system =
          "Access denied; you need (at least one of) the SYSTEM_USER privilege(s) for this"
              + " operation";
      refused(1227, system, ann, "KILL " + rootId);
      run(ann, "KILL " + id);
      assertThrows(SQLException.class, () -> rows(bob, "SELECT 1", 1));
    }
  }

  @Test
  void aDroppedUsersSessionKeepsWhatItHad() throws SQLException {
    run(root, "GRANT SELECT ON rights.t TO r_ann");
    try (Connection ann = login("r_ann", "rights")) {
      run(root, "DROP USER r_ann");
      assertEquals(List.of("8"), rows(ann, "SELECT COUNT(*) FROM t", 1));
      String denied = "DELETE command denied to user 'r_ann'@'127.0.0.1' for table 't'";
      refused(1142, denied, ann, "DELETE FROM t");
      run(root, "CREATE USER r_ann");
      String select = "SELECT command denied to user 'r_ann'@'127.0.0.1' for table 't'";
      refused(1142, select, ann, "SELECT COUNT(*) FROM t");
    }
  }

  @Test
  void aColumnIndexAsksToo() throws SQLException {
    run(root, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (a)");
    run(root, "GRANT INSERT ON rights.t TO r_ann");
    try (Connection ann = login("r_ann", "rights")) {
      run(ann, "SET workload_type = 'AP'");
      String denied = "SELECT command denied to user 'r_ann'@'127.0.0.1' for table 't'";
      refused(1142, denied, ann, "SELECT SUM(b) FROM t");
      refused(1142, denied, ann, "EXPLAIN SELECT SUM(b) FROM t");
      assertEquals(List.of("rights"), rows(ann, "SHOW COLUMNAR INDEX", 1));
      run(root, "GRANT SELECT ON rights.t TO r_ann");
      assertEquals(List.of("40"), rows(ann, "SELECT SUM(b) FROM t", 1));
    }
    try (Connection bob = login("r_bob", "")) {
      assertEquals(List.of(), rows(bob, "SHOW COLUMNAR INDEX", 1));
      String process =
          "Access denied; you need (at least one of) the PROCESS privilege(s) for this operation";
      for (String sql :
          List.of(
              "SHOW DDL",
              "SHOW NODES",
              "SHOW TRANS",
              "SHOW STORAGE LIKE 'dn%'",
              "SELECT * FROM information_schema.STORAGE_REPLICAS")) {
        refused(1227, process, bob, sql);
      }
      String denied = "SELECT command denied to user 'r_bob'@'127.0.0.1' for table 't'";
      refused(1142, denied, bob, "SHOW TOPOLOGY FROM rights.t");
      refused(1142, denied, bob, "CHECK COLUMNAR INDEX ci ON rights.t");
    }
  }

  @Test
  void privilegesAreListedForWhoMaySeeThem() throws SQLException {
    run(root, "GRANT SELECT ON rights.t TO r_ann WITH GRANT OPTION");
    String all = "SELECT GRANTEE FROM information_schema.TABLE_PRIVILEGES WHERE TABLE_NAME = 't'";
    assertTrue(rows(root, all, 1).contains("'r_ann'@'%'"));
    try (Connection bob = login("r_bob", "")) {
      assertEquals(List.of(), rows(bob, all, 1));
      assertEquals(
          List.of("'r_bob'@'%'"),
          rows(bob, "SELECT GRANTEE FROM information_schema.USER_PRIVILEGES", 1));
    }
  }
}
