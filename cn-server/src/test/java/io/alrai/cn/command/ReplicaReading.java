package io.alrai.cn.command;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.ReplicaSettings.WhenDelayed;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A CN whose leaders say a, and whose members that follow say b. */
abstract class ReplicaReading {
  static final String ONE = "SELECT v, id FROM t WHERE id = 1";
  static final String ALL = "SELECT id, v FROM t ORDER BY id LIMIT 3";
  static final String AT_1 = "SELECT id,v FROM `a1_p00001`.`t`";
  static final String AT_2 = "SELECT id,v FROM `a1_p00002`.`t`";
  static final List<DnId> DNS = List.of(new DnId("dn-1"), new DnId("dn-2"));

  final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v varchar(9), PRIMARY KEY (id))");
  final FakeClient client = cn.client();
  final ScriptedReplies leaders = replies("a");
  final ScriptedReplies followers = replies("b");

  static ScriptedReplies replies(String from) {
    ScriptedReplies replies = new ScriptedReplies();
    replies.put(ONE, () -> FakeReply.rows("shop", 2, "1", from));
    replies.put(AT_1, () -> FakeReply.rows("", 2, "1", from));
    replies.put(AT_2, () -> FakeReply.rows("", 2, "2", from));
    replies.put("SELECT id, v FROM t", () -> FakeReply.rows("shop", 2));
    return replies;
  }

  @BeforeEach
  void columnsAreKnown() {
    cn.dns.replies = leaders;
    cn.followers.replies = followers;
    cn.followers.dataNodes.addAll(DNS);
    answer(ALL);
    wanted(0, true);
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  void wanted(int weight, boolean consistent) {
    client
        .connection
        .session()
        .reads()
        .replicas()
        .settings(new ReplicaSettings(weight, consistent, 3, WhenDelayed.READ));
    cn.dns.asked.clear();
    leaders.clearSent();
  }

  static List<String> rows(String... rows) {
    List<String> all = new ArrayList<>(List.of("2 columns", "shop.t.c0", "shop.t.c1"));
    all.addAll(List.of(rows));
    all.add("end");
    return all;
  }

  List<String> answer(String sql) {
    client.query(sql);
    return client.answer();
  }
}
