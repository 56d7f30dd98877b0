package io.alrai.cn.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What others see of a statement at work. */
class ActivityTest {
  private static String shown(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return Activity.query(bytes, LexicalMode.DEFAULT, 0).statement();
  }

  @Test
  void passwordsAreHidden() {
    for (String sql :
        List.of(
            "CREATE USER u IDENTIFIED BY ",
            "  alter user u identified by ",
            "set password = ",
            "CHANGE REPLICATION SOURCE TO SOURCE_PASSWORD=",
            "insert into t values ('a'); SET PASSWORD = ",
            "/* x */ SET PASSWORD FOR u = ")) {
      assertEquals(sql + "<secret>", shown(sql + "'kept'"));
    }
  }

  @Test
  void allElseIsShown() {
    for (String sql :
        List.of(
            "", "x", "select 'a' as b", "SELECT 1", "insert into t values ('a')", "set @a='b'")) {
      assertEquals(sql, shown(sql));
    }
  }
}
