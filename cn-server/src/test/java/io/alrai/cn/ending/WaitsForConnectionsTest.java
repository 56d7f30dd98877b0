package io.alrai.cn.ending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of a statement counts while it waits for a connection, too. */
class WaitsForConnectionsTest {
  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT /*+ MAX_EXECUTION_TIME(20) */ v FROM t WHERE id = 1",
        "SELECT /*+ MAX_EXECUTION_TIME(20) */ v FROM t",
        "SELECT /*+ MAX_EXECUTION_TIME(20) */ v FROM t WHERE id = 1 FOR UPDATE",
      })
  void oneThatGetsNoneEnds(String sql) {
    cn.dns.full = true;
    client.query(sql);
    List<String> packets = new ArrayList<>();
    cn.loop.await(() -> {
      packets.addAll(client.packets());
      return !packets.isEmpty();
    });
    assertEquals(1, packets.size(), packets::toString);
    assertTrue(packets.getFirst().contains("3024"), packets::toString);
    cn.dns.full = false;
    cn.dns.giveLate();
    cn.loop.settle();
    client.query("SET @a = 1");
    cn.loop.await(() -> !client.packets().isEmpty());
    assertEquals(1, cn.services.clients().statementCounts().timeouts().sum());
  }
}
