package io.alrai.gms.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The members of DNs, and who leads. */
class DnMembersTest {
  private static final CatalogState GROUND = CatalogState.EMPTY.apply(Samples.ground());

  private static CatalogState with(CatalogState state, CatalogCommand command) {
    return state.apply(command);
  }

  @Test
  void aDataNodeIsAGroupWhoseLeaderChanges() {
    DnMember rows = new DnMember("dn-1-b", "host:2", DnMember.Keeps.ROWS);
    DnMember logger = new DnMember("dn-1-a", "host:3", DnMember.Keeps.LOG);
    CatalogState members =
        with(
            with(GROUND, new CatalogCommand.PutDnMember(Samples.DN1, rows)),
            new CatalogCommand.PutDnMember(Samples.DN1, logger));
    assertEquals(
        new DataNode(Samples.DN1, "embedded", List.of(logger, rows), 0),
        members.catalog().dataNode(Samples.DN1).orElseThrow());
    CatalogState led = with(members, new CatalogCommand.HintLeader(Samples.DN1, "host:2", 3));
    assertEquals(
        new DataNode(Samples.DN1, "host:2", List.of(logger, rows), 3),
        led.catalog().dataNode(Samples.DN1).orElseThrow());
    long version = led.catalog().version();
    DnMember moved = new DnMember("dn-1-b", "host:4", DnMember.Keeps.ROWS);
    CatalogState next =
        with(
            with(led, new CatalogCommand.HintLeader(Samples.DN1, "host:5", 4)),
            new CatalogCommand.PutDnMember(Samples.DN1, moved));
    assertEquals(
        new DataNode(Samples.DN1, "host:5", List.of(logger, moved), 4),
        next.catalog().dataNode(Samples.DN1).orElseThrow());
    assertEquals(version, next.catalog().version(), "no plan depends on who leads");
    assertEquals(next, with(next, new CatalogCommand.HintLeader(Samples.DN1, "host:2", 3)), "late");
    DnId strange = new DnId("dn-9");
    assertEquals(next, with(next, new CatalogCommand.HintLeader(strange, "host:2", 9)));
    assertEquals(
        new DataNode(Samples.DN1, "host:6", List.of(logger, moved), 4),
        with(next, new CatalogCommand.RegisterDataNode(new DataNode(Samples.DN1, "host:6")))
            .catalog()
            .dataNode(Samples.DN1)
            .orElseThrow());
  }

  @Test
  void aMemberThatIsDroppedIsForgotten() {
    DnMember rows = new DnMember("dn-1-b", "host:2", DnMember.Keeps.ROWS);
    CatalogState known = with(GROUND, new CatalogCommand.PutDnMember(Samples.DN1, rows));
    CatalogState left = with(known, new CatalogCommand.DropDnMember(Samples.DN1, "dn-1-b"));
    assertEquals(List.of(), left.catalog().dataNode(Samples.DN1).orElseThrow().members());
    assertEquals(left, with(left, new CatalogCommand.DropDnMember(Samples.DN1, "dn-1-b")));
    assertEquals(left, with(left, new CatalogCommand.DropDnMember(new DnId("dn-9"), "dn-1-b")));
  }

  @Test
  void aMemberBringsItsDnWhereThereIsNoData() {
    DnId strange = new DnId("dn-9");
    DnMember member = new DnMember("dn-9-a", "host:9", DnMember.Keeps.ROWS);
    CatalogCommand put = new CatalogCommand.PutDnMember(strange, member);
    assertEquals(
        List.of(new DataNode(strange, "host:9", List.of(member), 0)),
        with(CatalogState.EMPTY, put).catalog().dataNodes());
    AlraiException refused = assertThrows(AlraiException.class, () -> with(GROUND, put));
    assertEquals(ErrorCode.ER_NOT_SUPPORTED_YET.errno(), refused.errno());
  }
}
