package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.dn.rpc.KnownMembers;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.DnMember.Keeps;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteLinksTest {
  private static final DnId DN = new DnId("dn-1");

  private static List<String> members(String leader, long term, DnMember... known) {
    return RemoteLinks.members(new DataNode(DN, leader, List.of(known), term), 0).members().stream()
        .map(KnownMembers.Member::name)
        .toList();
  }

  @Test
  void theOnlyReplicaIsAMemberWhereAnotherOneWaits() {
    DnMember logger = new DnMember("logger-1", "host:9", Keeps.LOG);
    DnMember joiner = new DnMember("dn-1-b", "host:2", Keeps.ROWS);
    DnMember founder = new DnMember("dn-1", "host:1", Keeps.ROWS);
    assertEquals(List.of(), members("host:1", 0));
    assertEquals(List.of(), members("host:1", 0, logger));
    assertEquals(List.of("dn-1-b", "dn-1"), members("host:1", 0, joiner, logger));
    assertEquals(List.of("dn-1"), members("host:1", 0, founder, logger));
    assertEquals(List.of("dn-1", "dn-1-b"), members("host:1", 1, founder, joiner));
    assertEquals(List.of("dn-1", "dn-1-b"), members("host:2", 2, founder, joiner));
    assertEquals(List.of("dn-1-b"), members("host:7", 2, joiner), "a leader that has moved");
  }
}
