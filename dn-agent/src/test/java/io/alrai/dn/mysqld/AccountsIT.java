package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client's statement may do at most, at a real server. */
class AccountsIT {
  private static final Map<String, String> GRANTS =
      Map.of(
          MysqldInstance.AGENT_ACCOUNT,
              """
              GRANT SELECT, INSERT, DELETE, PROCESS, SUPER, REPLICATION SLAVE ON *.*
              GRANT SYSTEM_USER,XA_RECOVER_ADMIN ON *.*
              REVOKE INSERT, DELETE ON `mysql`.*
              """,
          MysqldInstance.DDL_ACCOUNT,
              """
              GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, PROCESS, REFERENCES, \
              INDEX, ALTER, SHOW DATABASES, CREATE TEMPORARY TABLES, LOCK TABLES, EXECUTE, \
              CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, CREATE USER, EVENT, \
              TRIGGER ON *.* WITH GRANT OPTION
              GRANT ALLOW_NONEXISTENT_DEFINER,SESSION_VARIABLES_ADMIN,SET_ANY_DEFINER,\
              SHOW_ROUTINE ON *.*
              REVOKE SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, REFERENCES, INDEX, \
              ALTER, LOCK TABLES, EXECUTE, CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER \
              ROUTINE, EVENT, TRIGGER ON `alrai`.*
              REVOKE INSERT, UPDATE, DELETE, CREATE, DROP, REFERENCES, INDEX, ALTER, LOCK \
              TABLES, EXECUTE, CREATE VIEW, CREATE ROUTINE, ALTER ROUTINE, EVENT, TRIGGER \
              ON `mysql`.*
              GRANT `alrai_meta`@`localhost` WITH ADMIN OPTION
              """,
          MysqldInstance.ADMIN_ACCOUNT,
              """
              GRANT SELECT, PROCESS, SUPER, EXECUTE, CREATE ROUTINE, ALTER ROUTINE, \
              TRIGGER ON *.*
              GRANT ALLOW_NONEXISTENT_DEFINER,SESSION_VARIABLES_ADMIN,SET_ANY_DEFINER,\
              SHOW_ROUTINE,SYSTEM_VARIABLES_ADMIN ON *.*
              REVOKE SELECT, EXECUTE, CREATE ROUTINE, ALTER ROUTINE, TRIGGER ON `alrai`.*
              REVOKE EXECUTE, CREATE ROUTINE, ALTER ROUTINE, TRIGGER ON `mysql`.*
              """,
          MysqldInstance.DATA_ACCOUNT,
              """
              GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, PROCESS, REFERENCES, \
              INDEX, ALTER, SHOW DATABASES, CREATE TEMPORARY TABLES, LOCK TABLES, EXECUTE, \
              REPLICATION CLIENT, CREATE VIEW, SHOW VIEW, TRIGGER ON *.*
              GRANT FLUSH_TABLES,SESSION_VARIABLES_ADMIN,SHOW_ROUTINE,XA_RECOVER_ADMIN ON *.*
              REVOKE CREATE, DROP, REFERENCES, INDEX, ALTER, LOCK TABLES, EXECUTE, \
              CREATE VIEW, TRIGGER ON `alrai`.*
              REVOKE INSERT, UPDATE, DELETE, CREATE, DROP, REFERENCES, INDEX, ALTER, LOCK \
              TABLES, EXECUTE, CREATE VIEW, TRIGGER ON `mysql`.*
              """,
          MysqldInstance.KILL_ACCOUNT,
              """
              GRANT SUPER ON *.*
              """,
          MysqldInstance.META_ACCOUNT,
              """
              GRANT PROCESS, REPLICATION SLAVE, REPLICATION CLIENT ON *.*
              GRANT SESSION_VARIABLES_ADMIN,SHOW_ROUTINE ON *.*
              GRANT SELECT, EXECUTE ON `sys`.*
              GRANT SELECT ON `a_b`.*
              GRANT SELECT ON `performance_schema`.*
              GRANT SELECT ON `mysql`.`time_zone_name`
              """);

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

  /** Each privilege, and no other. */
  @Test
  void grantsAreTheseAlsoInADirectoryOfAnEarlierVersion() {
    DataDirectoryTemplate template = RealServer.template();
    template.prepare();
    MysqldConfig config =
        MysqldConfig.of(temporary.resolve("two"), 7)
            .withMemory(new MysqldMemory(64L << 20, 64L << 20, 50));
    MysqldInstance older =
        MysqldInstance.create(TestAccounts.template(new PrintedProgress()), config);
    at(
        older,
        () ->
            RealServer.query(
                older,
                MysqldInstance.ADMIN_ACCOUNT,
                "SET sql_log_bin = 0; DROP USER alrai_agent@localhost;"
                    + " GRANT ALL ON *.* TO alrai@localhost WITH GRANT OPTION;"
                    + " GRANT SUPER, FILE ON *.* TO alrai_data@localhost;"
                    + " CREATE DATABASE a_b;"
                    + " GRANT SELECT ON `a_b`.* TO alrai_meta@localhost;"
                    + " DROP USER alrai_admin@localhost"));
    MysqldInstance instance = MysqldInstance.create(template, config);
    at(
        instance,
        () -> {
          for (String account : GRANTS.keySet()) {
            assertEquals(
                GRANTS.get(account).strip(),
                RealServer.query(instance, account, "SHOW GRANTS")
                    .replaceAll("(TO|FROM) `" + account + "`@`localhost`", "")
                    .replaceAll(" +WITH", " WITH")
                    .replaceAll("(?m) +$", ""),
                account);
          }
        });
  }

  /** What goes wrong in one of them does not reach what another is for. */
  @Test
  void eachAccountIsForItsOwnWork() {
    DataDirectoryTemplate template = RealServer.template();
    template.prepare();
    MysqldInstance instance =
        MysqldInstance.create(
            template,
            MysqldConfig.of(temporary.resolve("three"), 7)
                .withMemory(new MysqldMemory(64L << 20, 64L << 20, 50)));
    at(
        instance,
        () -> {
          RealServer.query(instance, MysqldInstance.DATA_ACCOUNT, "CREATE DATABASE d");
          RealServer.query(instance, MysqldInstance.DATA_ACCOUNT, "CREATE TABLE d.t (a int)");
          refuses(
              instance,
              MysqldInstance.AGENT_ACCOUNT,
              "UPDATE d.t SET a = 1",
              "DROP TABLE d.t",
              "DELETE FROM mysql.user",
              "CREATE USER x",
              "SHUTDOWN");
          refuses(
              instance,
              MysqldInstance.DDL_ACCOUNT,
              "SET GLOBAL max_connections = 5",
              "KILL 1",
              "SELECT * FROM alrai.tx_log",
              "UPDATE mysql.user SET authentication_string = ''",
              "ALTER USER alrai_agent@localhost IDENTIFIED BY ''",
              "GRANT SUPER ON *.* TO alrai@localhost",
              "SELECT 1 INTO OUTFILE '/tmp/x'",
              "CREATE DEFINER=alrai_agent@localhost VIEW d.v AS SELECT 1",
              "PURGE BINARY LOGS BEFORE NOW()",
              "SHUTDOWN");
          refuses(
              instance,
              MysqldInstance.ADMIN_ACCOUNT,
              "INSERT INTO d.t VALUES (1)",
              "DROP TABLE d.t",
              "CREATE USER x",
              "ALTER USER alrai_agent@localhost IDENTIFIED BY ''",
              "SELECT * FROM alrai.tx_log",
              "SELECT 1 INTO OUTFILE '/tmp/x'",
              "SHUTDOWN");
          String columns = "SELECT COLUMN_NAME FROM information_schema.columns";
          assertEquals(
              "a",
              RealServer.query(
                  instance,
                  MysqldInstance.AGENT_ACCOUNT,
                  columns + " WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 't'"));
        });
  }

  private static void refuses(MysqldInstance instance, String account, String... statements) {
    for (String refused : statements) {
      AssertionError error =
          assertThrows(AssertionError.class, () -> RealServer.query(instance, account, refused));
      assertTrue(
          error.getMessage().matches("(?s).*ERROR (1044|1045|1142|1227|1095|1094) .*"),
          error::getMessage);
    }
  }

  private static void at(MysqldInstance instance, Runnable work) {
    MysqldSupervisor supervisor =
        new MysqldSupervisor(
            instance, MysqldListener.none(), MysqldAttendant.none(), SupervisorBounds.standard());
    supervisor.start();
    try {
      work.run();
    } finally {
      supervisor.stop();
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
                    instance, MysqldInstance.DDL_ACCOUNT, "SELECT SLEEP(20), 'of the owner'")));
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
    String owner = MysqldInstance.DDL_ACCOUNT;
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
