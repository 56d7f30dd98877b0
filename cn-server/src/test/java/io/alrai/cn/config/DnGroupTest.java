package io.alrai.cn.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnGroupTest {
  private static final DnId DN = new DnId("dn-1");

  @Test
  void whatIsWrittenIsRead() {
    DnGroup group =
        new DnGroup(
            DN,
            List.of(
                new GroupMember("dn-1-a", "127.0.0.1:7001", Keeps.ROWS),
                new GroupMember("dn-1-b", "[::1]:7002", Keeps.ROWS),
                new GroupMember("logger-1", "host.name:65535", Keeps.LOG)),
            false);
    assertEquals(
        "dn-1-a@127.0.0.1:7001/rows,dn-1-b@[::1]:7002/rows,logger-1@host.name:65535/log",
        group.text());
    assertEquals(group, DnGroup.parse(DN, group.text()));
    assertEquals(group, DnGroup.parse(DN, group.text().replace(",", " , ")));
  }

  @Test
  void whoJoinsIsAlone() {
    DnGroup group = DnGroup.joining(DN, new GroupMember("logger-2", "127.0.0.1:7001", Keeps.LOG));
    assertEquals("+logger-2@127.0.0.1:7001/log", group.text());
    assertEquals(group, DnGroup.parse(DN, group.text()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dn-1-a",
        "dn-1-a@127.0.0.1:7001",
        "@127.0.0.1:7001/rows",
        "dn-1-a@127.0.0.1/rows",
        "dn-1-a@127.0.0.1:x/rows",
        "dn-1-a@127.0.0.1:7001/row",
        "dn-1-a@127.0.0.1:7001/rows,",
        "a@127.0.0.1:7001/rows,a@127.0.0.1:7002/rows",
        "logger-1@127.0.0.1:7001/log",
        "+",
        "+a@127.0.0.1:7001/rows,b@127.0.0.1:7002/rows"
      })
  void somethingElseIsRefused(String text) {
    AlraiException refused = assertThrows(AlraiException.class, () -> DnGroup.parse(DN, text));
    assertTrue(refused.sentence().length() > 10, refused.sentence());
  }
}
