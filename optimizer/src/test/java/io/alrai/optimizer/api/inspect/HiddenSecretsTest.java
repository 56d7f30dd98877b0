package io.alrai.optimizer.api.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.optimizer.api.text.LexicalMode;
import java.util.List;
import org.junit.jupiter.api.Test;

class HiddenSecretsTest {
  private static String shown(String sql) {
    return HiddenSecrets.in(sql, LexicalMode.DEFAULT);
  }

  @Test
  void passwordsAreHidden() {
    assertEquals(
        "CREATE USER 'é'@'%' IDENTIFIED BY <secret>, b IDENTIFIED WITH 'caching_sha2_password' AS"
            + " <secret> ACCOUNT LOCK",
        shown(
            "CREATE USER 'é'@'%' IDENTIFIED BY 'se''c\\'ret', b IDENTIFIED WITH"
                + " 'caching_sha2_password' AS 0x2441 ACCOUNT LOCK"));
    for (String sql :
        List.of(
            "alter user user() identified by 'kept' replace 'kept'",
            "SET PASSWORD = 'kept'",
            "set /* for */ password for 'a'@'b' = \"kept\" replace 'kept'",
            "/*!50000 create user*/ a identified by 'kept'",
            "create user a identified by N'kept'",
            "create user a identified by 'kept' 'kept'",
            "create user if not exists a identified by 'kept",
            "SET PASSWORD TO 'kept'")) {
      assertFalse(shown(sql).contains("kept"), () -> shown(sql));
    }
  }

  @Test
  void passwordsAreHiddenInAnyStatement() {
    assertEquals(
        "CHANGE REPLICATION SOURCE TO SOURCE_USER='shown', SOURCE_PASSWORD=<secret>, SOURCE_PORT=1",
        shown(
            "CHANGE REPLICATION SOURCE TO SOURCE_USER='shown', SOURCE_PASSWORD='kept',"
                + " SOURCE_PORT=1"));
    assertEquals(
        "SELECT 'shown'; SET PASSWORD FOR a = <secret>; SELECT a FROM t WHERE b = 'shown'",
        shown("SELECT 'shown'; SET PASSWORD FOR a = 'kept'; SELECT a FROM t WHERE b = 'shown'"));
    for (String sql :
        List.of(
            "START REPLICA USER='u' PASSWORD='kept'",
            "PREPARE s FROM 'CREATE USER u IDENTIFIED BY ''kept'''",
            "start group_replication user='u', password = 'kept'",
            "SET @a=1, PASSWORD='kept'",
            "SET @a=1, PASSWORD FOR 'u'@'h' = 'kept' REPLACE 'kept'",
            "insert into t values (1); create user a identified by 'kept'",
            "CLONE INSTANCE FROM 'u'@'h':3306 IDENTIFIED BY 'kept'",
            "GRANT ALL ON *.* TO a IDENTIFIED BY _utf8mb4'kept'",
            "create server s foreign data wrapper mysql options (user 'u', password 'kept')",
            "SET GLOBAL `my_password` := x'6b657074'",
            "SET @myPassWord = 'kept'",
            "SET @@global.x_password_y = 'kept",
            "SELECT PASSWORD('kept')",
            "CREATE PROCEDURE p() BEGIN SELECT 1; SET PASSWORD FOR a = 'kept'; END")) {
      assertFalse(shown(sql).contains("kept"), () -> shown(sql));
      assertFalse(shown(sql).contains("6b65"), () -> shown(sql));
    }
  }

  @Test
  void nothingElseIs() {
    for (String sql :
        List.of(
            "select password from t where by = 'shown'",
            "select identified as 'shown' from t where a = 'shown'",
            "update t set password = 1, a = 'shown' where b = 'shown'",
            "insert into t (passwor) values ('shown')",
            "CREATE USER a",
            "create table t (a int) comment 'shown'",
            "x",
            "")) {
      assertEquals(sql, shown(sql));
    }
  }
}
