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
        killsOfAccountStatements(instance);
      } finally {
        supervisor.stop();
      }
    }
  }

  private static String run(MysqldInstance instance, String sql) {
    return RealServer.query(instance, MysqldInstance.DATA_ACCOUNT, sql);
  }

  /** What clients run, and definitions too, end by the account that is for it. */
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
    String kill = "KILL QUERY " + id;
    AssertionError refused = assertThrows(AssertionError.class, () -> run(instance, kill));
    assertTrue(refused.getMessage().contains("ERROR 1095 "), refused::getMessage);
    RealServer.query(instance, MysqldInstance.KILL_ACCOUNT, kill);
    assertTrue(owners.orTimeout(40, TimeUnit.SECONDS).join().startsWith("1"), owners::join);
  }

  /**
   * While accounts change. A KILL by who has CONNECTION_ADMIN instead of SUPER stops a mysqld for
   * an hour then: four of them did.
   */
  private static void killsOfAccountStatements(MysqldInstance instance) {
    String owner = MysqldInstance.AGENT_ACCOUNT;
    RealServer.query(instance, owner, "CREATE USER IF NOT EXISTS some@localhost");
    CompletableFuture<String> grants = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            grants.complete(
                RealServer.forced(
                    instance,
                    owner,
                    "SELECT 'granting';"
                        + ("GRANT SELECT ON d_p00001.* TO some@localhost;"
                                + "REVOKE SELECT ON d_p00001.* FROM some@localhost;")
                            .repeat(400)));
          } catch (AssertionError e) {
            grants.completeExceptionally(e);
          }
        });
    String list =
        "SELECT id FROM information_schema.processlist WHERE user = 'alrai' AND info LIKE '%some%'";
    while (!grants.isDone()) {
      String id = run(instance, list);
      if (!id.isEmpty()) {
        RealServer.forced(
            instance, MysqldInstance.KILL_ACCOUNT, ("KILL QUERY " + id + ";").repeat(500));
      }
    }
    String said = grants.orTimeout(40, TimeUnit.SECONDS).join();
    assertTrue(said.contains("ERROR 1317 "), said);
    RealServer.query(instance, owner, "DROP USER some@localhost");
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
