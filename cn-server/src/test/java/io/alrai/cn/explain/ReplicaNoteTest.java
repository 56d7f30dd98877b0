package io.alrai.cn.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.ReplicaSettings.WhenDelayed;
import io.alrai.optimizer.api.Planned.Work;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaNoteTest {
  private static final String READ = "SELECT id FROM t WHERE id = 1";

  private final FakeCn cn = new FakeCn("CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))");
  private final FakeClient client = cn.client();
  private final Session session = client.connection.session();

  @AfterEach
  void end() {
    cn.close();
  }

  private void leaders(int weight) {
    session.reads().replicas().settings(new ReplicaSettings(weight, true, 3, WhenDelayed.READ));
  }

  private String note(String sql, boolean analyze) {
    StatementPlanner planner = cn.services.statements().planners().apply(cn.loop);
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    planner.scan(session, text, text.length);
    Work.Data work = (Work.Data) planner.plan(session).planned().work();
    return ReplicaNote.of(session, work.plan(), analyze).map(Condition::message).orElse("");
  }

  @Test
  void explainSaysWhichSelectsAreReadAtMembersThatFollow() {
    assertEquals("", note(READ, false));
    leaders(30);
    String some = "of 100 of these statements 70 are read at members that follow, as ";
    assertEquals(some + "master_read_weight says", note(READ, false));
    assertEquals(some + "master_read_weight says; this one was run at leaders", note(READ, true));
    assertEquals("", note(READ + " FOR UPDATE", false));
    assertEquals("", note("UPDATE t SET id = 2 WHERE id = 1", false));
  }

  @Test
  void ofATransactionItSaysWhereThatReads() {
    leaders(0);
    client.query("BEGIN");
    client.answer();
    assertEquals("", note(READ, false));
    client.query("START TRANSACTION READ ONLY");
    client.answer();
    session.transaction().views().replicas().choose(0, session.variables().ofBackends());
    assertEquals("the transaction reads at members that follow", note(READ, true));
    client.query("ROLLBACK");
    client.answer();
  }
}
