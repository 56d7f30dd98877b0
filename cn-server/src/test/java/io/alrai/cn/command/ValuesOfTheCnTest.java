package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.net.HostName;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a client has connected to is for the CN to say, not for the mysqld that it asks. */
class ValuesOfTheCnTest {
  @Test
  void namesOfTheServer() {
    List<String> asked = new ArrayList<>();
    try (FakeCn cn = new FakeCn("CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))")) {
      cn.dns.replies =
          sql -> {
            asked.add(sql);
            return sql.startsWith("SELECT")
                ? Optional.of(FakeReply.rows("shop", 1, "7"))
                : Optional.empty();
          };
      FakeClient client = cn.client();
      for (String name : List.of("hostname", "GLOBAL.hostname", "version", "version_comment")) {
        asked.clear();
        client.query("SELECT @@" + name);
        client.answer();
        String last = asked.getLast();
        assertTrue(last.startsWith("SELECT '"), last);
        if (name.endsWith("hostname")) {
          assertTrue(last.contains("'" + HostName.own() + "'"), last);
        }
      }
      client.query("SELECT @@server_id");
      client.answer();
      assertTrue(asked.getLast().contains("CAST(1 AS UNSIGNED)"), asked.getLast());
    }
  }
}
