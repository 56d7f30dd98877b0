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
  void nothingElseIs() {
    for (String sql :
        List.of(
            "select password from t where by = 'shown'",
            "CREATE USER a",
            "create table t (a int) comment 'shown'",
            "x",
            "")) {
      assertEquals(sql, shown(sql));
    }
  }
}
