package io.alrai.cn.ddl.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.DdlCluster;
import io.alrai.cn.ddl.DdlExecutorTest;
import io.alrai.common.error.AlraiException;
import io.alrai.common.secret.PasswordHash;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Roles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccountChangesTest {
  private static DdlCluster shop() {
    DdlCluster cluster = new DdlCluster(2);
    cluster.run("CREATE DATABASE shop DEFAULT PARTITIONS 4");
    cluster.run("CREATE TABLE t (id int NOT NULL, PRIMARY KEY (id))");
    return cluster;
  }

  private static int errno(DdlCluster cluster, String sql) {
    return assertThrows(AlraiException.class, () -> cluster.run(sql), sql).errno();
  }

  @Test
  void accounts() {
    DdlCluster cluster = shop();
    cluster.run("CREATE USER u@localhost IDENTIFIED BY 'secret', v");
    Credential kept = cluster.gms.catalog().accountsOf("u").getFirst().credential();
    assertEquals("caching_sha2_password", kept.plugin());
    assertTrue(
        PasswordHash.parse(kept.text())
            .orElseThrow()
            .matches("secret".getBytes(StandardCharsets.UTF_8)));
    assertEquals(Credential.NONE, cluster.gms.catalog().accountsOf("v").getFirst().credential());
    assertEquals(1396, errno(cluster, "CREATE USER u@localhost"));
    assertEquals(1396, errno(cluster, "ALTER USER w IDENTIFIED BY 'x'"));
    assertEquals(1396, errno(cluster, "DROP USER v, w"));
    assertEquals(1, cluster.gms.catalog().accountsOf("v").size());
    assertEquals(3163, cluster.run("CREATE USER IF NOT EXISTS v").warnings().getFirst().errno());
    assertEquals(3162, cluster.run("DROP USER IF EXISTS v, w").warnings().getFirst().errno());
    assertTrue(cluster.gms.catalog().accountsOf("v").isEmpty());
    cluster.run("ALTER USER u@localhost ACCOUNT LOCK");
    assertTrue(cluster.gms.catalog().accountsOf("u").getFirst().locked());
  }

  @Test
  void passwordsOfBothPlugins() {
    DdlCluster cluster = shop();
    cluster.run("CREATE USER u IDENTIFIED WITH mysql_native_password BY 'secret' REQUIRE SSL");
    Account made = cluster.gms.catalog().accountsOf("u").getFirst();
    assertEquals("*14E65567ABDB5135D0CFD9A70B3032C179A49EE7", made.credential().text());
    assertTrue(made.requiresTls());
    cluster.run("ALTER USER u IDENTIFIED BY 'other' PASSWORD EXPIRE NEVER");
    made = cluster.gms.catalog().accountsOf("u").getFirst();
    assertTrue(made.credential().usesSha1());
    assertFalse(made.password().expired());
    assertTrue(made.requiresTls());
    cluster.run("ALTER USER u IDENTIFIED WITH caching_sha2_password REQUIRE NONE");
    made = cluster.gms.catalog().accountsOf("u").getFirst();
    assertEquals(Credential.NONE, made.credential());
    assertTrue(made.password().expired());
    assertFalse(made.requiresTls());
    assertEquals(1396, errno(cluster, "ALTER USER u IDENTIFIED BY '" + "x".repeat(257) + "'"));
  }

  /** A mysqld would run what such a definer has in the account that it has itself. */
  @Test
  void namesOfTheMysqldsAccounts() {
    DdlCluster cluster = shop();
    cluster.run("CREATE USER u");
    for (String name :
        List.of(
            "alrai@localhost",
            "alrai",
            "alrai_data@'10.%'",
            "alrai_meta@localhost",
            "'mysql.sys'@localhost",
            "'mysql.session'",
            "'mysql.infoschema'@localhost")) {
      assertEquals(1396, errno(cluster, "CREATE USER " + name));
      assertEquals(1396, errno(cluster, "CREATE USER IF NOT EXISTS " + name));
      assertEquals(1396, errno(cluster, "CREATE ROLE " + name));
      assertEquals(1396, errno(cluster, "RENAME USER u TO " + name));
    }
    cluster.run("CREATE USER Alrai, alrai2");
  }

  @Test
  void roles() {
    DdlCluster cluster = shop();
    cluster.run("CREATE ROLE dev, ops");
    assertTrue(cluster.gms.catalog().accountsOf("dev").getFirst().locked());
    assertEquals(1396, errno(cluster, "CREATE ROLE dev"));
    cluster.run("CREATE USER u DEFAULT ROLE dev");
    cluster.run("GRANT ops TO u WITH ADMIN OPTION");
    assertEquals(
        new Roles(Map.of("dev@%", false, "ops@%", true), Set.of("dev@%")),
        cluster.gms.catalog().accountsOf("u").getFirst().roles());
    assertEquals(3523, errno(cluster, "GRANT dev, nobody TO u"));
    assertEquals(3523, errno(cluster, "REVOKE dev FROM u, nobody"));
    assertEquals(3530, errno(cluster, "SET DEFAULT ROLE dev TO ops"));
    assertEquals(4027, errno(cluster, "GRANT u TO dev"));
    assertEquals(3162, errno(cluster, "CREATE USER v DEFAULT ROLE nobody"));
    assertEquals(3523, cluster.run("REVOKE IF EXISTS nobody FROM u").warnings().getFirst().errno());
    cluster.run("SET DEFAULT ROLE ALL TO u");
    cluster.run("DROP ROLE dev");
    assertEquals(
        new Roles(Map.of("ops@%", true), Set.of("ops@%")),
        cluster.gms.catalog().accountsOf("u").getFirst().roles());
    assertEquals(3532, errno(cluster, "RENAME USER ops TO o"));
    cluster.run("CREATE USER v");
    assertEquals(1396, errno(cluster, "RENAME USER v TO w, nobody TO x"));
    cluster.run("RENAME USER v TO w, u TO v");
    assertEquals(
        Set.of("ops@%"), cluster.gms.catalog().accountsOf("v").getFirst().roles().defaults());
    assertTrue(cluster.gms.catalog().accountsOf("u").isEmpty());
  }

  @Test
  void grants() {
    DdlCluster cluster = shop();
    cluster.run("CREATE USER v, w");
    assertEquals(Grants.NONE, cluster.gms.catalog().accountsOf("v").getFirst().grants());
    cluster.run("GRANT SELECT, INSERT ON shop.t TO v, w WITH GRANT OPTION");
    cluster.run("ALTER USER v ACCOUNT LOCK");
    for (String user : List.of("v", "w")) {
      assertEquals(
          Set.of(Privilege.SELECT, Privilege.INSERT, Privilege.GRANT),
          cluster
              .gms
              .catalog()
              .accountsOf(user)
              .getFirst()
              .grants()
              .at(GrantScope.ofTable("shop", "t")));
    }
    assertEquals(1410, errno(cluster, "GRANT DELETE ON shop.t TO w, nobody"));
    assertEquals(1147, errno(cluster, "REVOKE DELETE ON shop.t FROM w"));
    assertEquals(1146, errno(cluster, "GRANT SELECT ON shop.nosuch TO w"));
    cluster.run("REVOKE ALL ON shop.t FROM w");
    assertEquals(
        Set.of(Privilege.GRANT),
        cluster
            .gms
            .catalog()
            .accountsOf("w")
            .getFirst()
            .grants()
            .at(GrantScope.ofTable("shop", "t")));
    assertEquals(
        3162,
        cluster
            .run("REVOKE ALL PRIVILEGES, GRANT OPTION FROM w, nobody IGNORE UNKNOWN USER")
            .warnings()
            .getFirst()
            .errno());
    assertEquals(Grants.NONE, cluster.gms.catalog().accountsOf("w").getFirst().grants());
  }

  private static Grants grants(DdlCluster cluster, String user) {
    return cluster.gms.catalog().accountsOf(user).getFirst().grants();
  }

  private static void refused(DdlCluster cluster, int errno, String sentence, String sql) {
    AlraiException refusal = assertThrows(AlraiException.class, () -> cluster.run(sql));
    assertEquals(errno, refusal.errno(), sql);
    assertEquals(sentence, refusal.sentence());
  }

  @Test
  void grantsOnRoutines() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run("CREATE USER v, w");
    cluster.run("GRANT EXECUTE ON PROCEDURE P TO v, w WITH GRANT OPTION");
    cluster.run("GRANT ALL ON FUNCTION shop.f TO v");
    assertEquals(
        Map.of("shop", Map.of("p", Set.of(Privilege.EXECUTE, Privilege.GRANT))),
        grants(cluster, "v").procedures());
    assertEquals(
        Map.of("shop", Map.of("f", Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE))),
        grants(cluster, "v").functions());
    refused(
        cluster, 1305, "PROCEDURE NoSuch does not exist", "GRANT EXECUTE ON PROCEDURE NoSuch TO v");
    refused(cluster, 1305, "FUNCTION p does not exist", "GRANT EXECUTE ON FUNCTION shop.p TO v");
    assertEquals(1410, errno(cluster, "GRANT EXECUTE ON FUNCTION f TO v, nobody"));
    assertEquals(1144, errno(cluster, "GRANT EXECUTE, SELECT ON FUNCTION f TO v"));
    assertEquals(1144, errno(cluster, "REVOKE CREATE ROUTINE ON FUNCTION f FROM v"));
    refused(
        cluster,
        3619,
        "Illegal privilege level specified for F",
        "GRANT CLONE_ADMIN ON FUNCTION F TO v");
    refused(
        cluster,
        1403,
        "There is no such grant defined for user 'w' on host '%' on routine 'F'",
        "REVOKE EXECUTE ON FUNCTION F FROM w");
    assertEquals(1403, errno(cluster, "REVOKE EXECUTE, ALTER ROUTINE ON PROCEDURE p FROM w"));
    assertEquals(1403, errno(cluster, "REVOKE EXECUTE ON PROCEDURE p FROM nobody"));
    assertEquals(
        1403,
        cluster.run("REVOKE IF EXISTS ALL ON FUNCTION f FROM w").warnings().getFirst().errno());
    cluster.run("REVOKE ALL ON PROCEDURE p FROM w");
    assertEquals(
        Map.of("shop", Map.of("p", Set.of(Privilege.GRANT))), grants(cluster, "w").procedures());
    cluster.run("REVOKE ALL PRIVILEGES, GRANT OPTION FROM v, w");
    assertEquals(Grants.NONE, grants(cluster, "v"));
    assertEquals(Grants.NONE, grants(cluster, "w"));
  }

  @Test
  void whoMakesARoutineGetsItUnlessHeHasIt() {
    DdlCluster cluster = DdlExecutorTest.shop();
    Set<Privilege> both = Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE);
    assertEquals(Map.of("shop", Map.of("p", both)), grants(cluster, "root").procedures());
    assertEquals(Map.of("shop", Map.of("f", both)), grants(cluster, "root").functions());
    cluster.run("DROP PROCEDURE p");
    assertEquals(Map.of(), grants(cluster, "root").procedures());
    cluster.run("GRANT EXECUTE, ALTER ROUTINE ON shop.* TO root");
    cluster.run("CREATE PROCEDURE p() SELECT 1");
    assertEquals(Map.of(), grants(cluster, "root").procedures());
    cluster.run("REVOKE ALTER ROUTINE ON shop.* FROM root");
    cluster.run("CREATE PROCEDURE q() SELECT 1");
    assertEquals(Map.of("shop", Map.of("q", both)), grants(cluster, "root").procedures());
    cluster.shards.mysqlds.values().forEach(mysqld -> mysqld.automaticPrivileges = false);
    cluster.run("CREATE PROCEDURE r() SELECT 1");
    cluster.run("DROP PROCEDURE q");
    assertEquals(Map.of("shop", Map.of("q", both)), grants(cluster, "root").procedures());
  }
}
