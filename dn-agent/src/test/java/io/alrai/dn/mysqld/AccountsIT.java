package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client's statement may do at most, at a real server. */
class AccountsIT {
  @TempDir Path temporary;

  @Test
  void theDataAccountDoesNotOwnTheServer() {
    DataDirectoryTemplate template = RealServer.template();
    template.prepare();
    MysqldConfig config =
        MysqldConfig.of(temporary.resolve("one"), 7)
            .withMemory(new MysqldMemory(64L << 20, 64L << 20, 50));
    MysqldInstance instance = MysqldInstance.create(template, config);
    for (int start = 0; start < 2; start++) { // the accounts are set at each
      MysqldSupervisor supervisor =
          new MysqldSupervisor(
              instance, MysqldListener.none(), MysqldAttendant.none(), SupervisorBounds.standard());
      supervisor.start();
      try {
        data(instance);
        kills(instance);
      } finally {
        supervisor.stop();
      }
    }
  }

  private static String run(MysqldInstance instance, String sql) {
    return RealServer.query(instance, MysqldInstance.DATA_ACCOUNT, sql);
  }

  /** A definition is ended by who has asked for it. */
  private static void kills(MysqldInstance instance) {
    CompletableFuture<String> owners = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() ->
            owners.complete(
                RealServer.query(
                    instance, MysqldInstance.AGENT_ACCOUNT, "SELECT SLEEP(20), 'of the owner'")));
    String list =
        "SELECT id FROM information_schema.processlist WHERE info LIKE '%of the owner%'"
            + " AND user = 'alrai'";
    String id = "";
    while (id.isEmpty()) {
      id = run(instance, list);
    }
    run(instance, "KILL QUERY " + id);
    assertTrue(owners.orTimeout(40, TimeUnit.SECONDS).join().startsWith("1"), owners::join);
  }

  private static void data(MysqldInstance instance) {
    run(
        instance,
        "CREATE DATABASE d_p00001; USE d_p00001; CREATE TABLE t (a int PRIMARY KEY);"
            + " INSERT INTO t VALUES (1); ALTER TABLE t ADD b int; LOCK TABLES t WRITE; UNLOCK TABLES;"
            + " XA START 'x'; INSERT INTO t VALUES (2, 2);"
            + " INSERT INTO alrai.tx_log (txid,commit_ts,participants) VALUES ('x', 1, '');"
            + " XA END 'x'; XA PREPARE 'x'; XA RECOVER; XA ROLLBACK 'x';"
            + " CREATE TEMPORARY TABLE alrai.scratch SELECT * FROM t; DROP TABLE alrai.scratch;"
            + " SET SESSION sql_log_bin = 0, xa_detach_on_prepare = OFF;"
            + " DROP DATABASE d_p00001");
    assertEquals("NULL", run(instance, "SELECT LOAD_FILE('/etc/passwd')"));
    for (String refused :
        List.of(
            "UPDATE mysql.user SET authentication_string = ''",
            "SELECT * FROM alrai.ddl_log",
            "DROP TABLE alrai.tx_log",
            "CREATE TABLE alrai.x (a int)",
            "DROP DATABASE alrai",
            "SET GLOBAL general_log_file = '/tmp/x'",
            "SET GLOBAL super_read_only = 1",
            "SET PERSIST max_connections = 5",
            "CREATE USER x",
            "ALTER USER alrai@localhost IDENTIFIED BY ''",
            "GRANT SELECT ON sys.* TO alrai_meta@localhost",
            "SELECT 1 INTO OUTFILE '/tmp/x'",
            "PURGE BINARY LOGS BEFORE NOW()",
            "RESET BINARY LOGS AND GTIDS",
            "SHUTDOWN",
            "INSTALL COMPONENT 'file://component_x'",
            "CREATE DEFINER=alrai@localhost FUNCTION sys.f() RETURNS int RETURN 1")) {
      AssertionError error = assertThrows(AssertionError.class, () -> run(instance, refused));
      assertTrue(
          error.getMessage().matches("(?s).*ERROR (1044|1142|1227|1370) .*"), error::getMessage);
    }
  }
}
