package io.alrai.cn.force;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.UnaskedMembers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.GroupOutlook.Other;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.client.LocalGms;
import io.alrai.optimizer.api.MembersStatement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the statement refuses, says and decides. */
class ForceLeaderTest {
  private static final DnId DN = new DnId("dn-1");
  private static final long NOW = 1_000_000;
  private static final Other LOST = new Other("dn-1-a", false, 0, -1);
  private static final Other LOGGER = new Other("logger-1", false, 0, -1);

  private final LocalGms gms = new LocalGms(() -> NOW);
  private final Survivor survivor = new Survivor();
  private final ForceLeader statement = new ForceLeader(gms, () -> Map.of(DN, survivor), () -> NOW);

  ForceLeaderTest() {
    put("dn-1-a", DnMember.Keeps.ROWS);
    put("dn-1-b", DnMember.Keeps.ROWS);
    put("logger-1", DnMember.Keeps.LOG);
    gms.submit(new CatalogCommand.HintLeader(DN, "dn-1-a:1", 7));
  }

  private void put(String name, DnMember.Keeps keeps) {
    gms.submit(new CatalogCommand.PutDnMember(DN, new DnMember(name, name + ":1", keeps)));
  }

  private void run(String member, String dn, boolean accepts) {
    statement.run(new MembersStatement.ForceLeader(member, dn, accepts));
  }

  private String refusal(String member, String dn, boolean accepts) {
    AlraiException refused = assertThrows(AlraiException.class, () -> run(member, dn, accepts));
    assertTrue(refused.is(ErrorCode.ALRAI_NODE_UNAVAILABLE), refused.sentence());
    assertTrue(refused.sentence().length() < 512, refused.sentence()); // clients cut it
    return refused.sentence();
  }

  private DataNode dn() {
    return gms.catalog().dataNode(DN).orElseThrow();
  }

  @Test
  void withoutThreeWordsItSaysWhatWouldBeLost() {
    DataNode before = dn();
    gms.submit(new CatalogCommand.RenewLinkedNode(new NodeId("dn-2-a"), 1, 0, -NOW));
    assertEquals(
        "nothing has changed; to do it, add ACCEPT DATA LOSS. dn-1-b would be all of dn-1, and"
            + " lose what was committed after its entry 99 of term 7, written about"
            + " 1970-01-01T00:10:00Z. [dn-1-a, logger-1] would be dropped for good; [dn-2-a] must"
            + " have ended, too",
        refusal("dn-1-b", "dn-1", false));
    assertEquals(before, dn());
  }

  @Test
  void itIsDecidedThenTheSurvivorLeads() {
    survivor.leadsFrom = 1;
    run("dn-1-b", "dn-1", true);
    assertEquals(1, dn().forced().generation());
    assertEquals("dn-1-b", dn().forced().survivor());
    assertEquals(List.of("dn-1-a", "logger-1"), dn().forced().ended());
  }

  @Test
  void whoHasNoLeaseAndDoesNotKnowIsNamedAndThenSaidToHaveEnded() {
    gms.submit(new CatalogCommand.RenewLinkedNode(new NodeId("dn-2-a"), 1, 0, 1_000));
    survivor.leadsFrom = Long.MAX_VALUE;
    survivor.onAsked =
        () -> gms.submit(new CatalogCommand.RenewLinkedNode(new NodeId("dn-2-b"), 1, 0, -NOW));
    assertEquals(
        "repeat the statement when [dn-2-b] have ended, who may believe the old group of dn-1:"
            + " dn-1-b becomes the group, and waits for them",
        refusal("dn-1-b", "dn-1", true));
    assertTrue(refusal("dn-1-b", "dn-1", false).contains("and waits for [dn-2-b]"));
    survivor.onAsked = () -> {};
    survivor.leadsFrom = 1;
    run("dn-1-b", "dn-1", true);
    assertTrue(dn().forced().ended().contains("dn-2-b"), () -> dn().toString());
    assertEquals(1, dn().forced().generation());
  }

  private void unleased(String name) {
    gms.submit(new CatalogCommand.RenewLinkedNode(new NodeId(name), 1, 0, -NOW));
  }

  @Test
  void nobodyHasEndedWhomTheStatementHasNotNamed() {
    unleased("dn-2-a");
    refusal("dn-1-b", "dn-1", true);
    assertEquals(List.of("dn-1-a", "logger-1"), dn().forced().ended());
    unleased("dn-2-b");
    assertTrue(refusal("dn-1-b", "dn-1", true).contains("when [dn-2-b] have ended"));
    assertEquals(List.of("dn-1-a", "dn-2-a", "logger-1"), dn().forced().ended());
  }

  @Test
  void oneOfManyIsAskedForWhatItNames() {
    for (int number = 10; number < 35; number++) {
      unleased("agent-" + number);
    }
    assertTrue(refusal("dn-1-b", "dn-1", false).endsWith("and 15 more must have ended, too"));
    assertTrue(refusal("dn-1-b", "dn-1", true).startsWith("repeat the statement when ["));
    assertTrue(refusal("dn-1-b", "dn-1", true).contains("] and 5 more have ended"));
    refusal("dn-1-b", "dn-1", true);
    survivor.leadsFrom = 1;
    run("dn-1-b", "dn-1", true);
    assertEquals(27, dn().forced().ended().size());
  }

  /** The GMS may have lost that the group was forced before. */
  @Test
  void theNextGenerationIsAboveTheMembersOwn() {
    survivor.generation = 4;
    survivor.leadsFrom = 5;
    run("dn-1-b", "dn-1", true);
    assertEquals(5, dn().forced().generation());
  }

  @Test
  void oneThatLeadsWithoutTheOthersKnowledgeIsNotLeftAside() {
    survivor.other = "LEADING";
    assertTrue(refusal("dn-1-b", "dn-1", true).startsWith("dn-1-a leads dn-1 and answers"));
    assertEquals(0, dn().forced().generation());
    survivor.other = "FOLLOWING";
    survivor.asked = false;
    survivor.leadsFrom = 1;
    run("dn-1-b", "dn-1", true);
  }

  @Test
  void whatMustNotBeIsRefused() {
    assertTrue(refusal("dn-1-b", "dn-7", true).startsWith("there is no DN 'dn-7'"));
    assertTrue(refusal("dn-1-b", "%", true).startsWith("there is no DN '%'"));
    assertTrue(refusal("logger-1", "dn-1", true).startsWith("dn-1 has no member 'logger-1'"));
    assertTrue(refusal("dn-1-_", "dn-1", true).startsWith("dn-1 has no member 'dn-1-_'"));
    assertTrue(refusal("dn-1-a", "dn-1", true).startsWith("dn-1-a does not answer"));
    survivor.outlook = List.of(LOST, new Other("logger-1", true, 7, 98));
    assertTrue(refusal("dn-1-b", "dn-1", true).startsWith("dn-1-b and [logger-1] are a majority"));
    survivor.outlook =
        List.of(LOST, LOGGER, new Other("dn-1-c", true, 8, 3), new Other("x", false, 0, -1));
    assertTrue(
        refusal("dn-1-b", "dn-1", true)
            .startsWith("dn-1-c answers and has a later entry: 3 of term 8"));
    survivor.outlook = List.of(LOST, LOGGER);
    survivor.state = "REBUILDING";
    assertTrue(
        refusal("dn-1-b", "dn-1", true).startsWith("dn-1-b cannot become the group while it is"));
    assertEquals(0, dn().forced().generation());
  }

  /** A group of which dn-1-b answers. */
  private static final class Survivor implements UnaskedMembers {
    private List<Other> outlook = List.of(LOST, LOGGER);
    private String state = "FOLLOWING";
    private Runnable onAsked = () -> {};
    private long leadsFrom = Long.MAX_VALUE;
    private boolean asked;
    private long generation;

    /** What dn-1-a does; it does not answer where that is empty. */
    private String other = "";

    @Override
    public List<String> names() {
      return List.of("dn-1-a", "dn-1-b");
    }

    @Override
    public String address(String member) {
      return member + ":1";
    }

    @Override
    public CompletableFuture<MemberStatus> ask(String member) {
      if (!member.equals("dn-1-b") && !other.isEmpty()) {
        return CompletableFuture.completedFuture(status(member, other, 7));
      }
      if (!member.equals("dn-1-b")) {
        return CompletableFuture.failedFuture(
            new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "refused"));
      }
      boolean leads = asked && leadsFrom < Long.MAX_VALUE;
      return CompletableFuture.completedFuture(
          leads ? status(member, "LEADING", (leadsFrom << 32) + 1) : status(member, state, 0));
    }

    private static MemberStatus status(String member, String state, long term) {
      boolean leads = state.equals("LEADING");
      return new MemberStatus(
          member, state, leads, term, 99, 0, 0, "", "", List.of(), Cloning.NONE);
    }

    @Override
    public CompletableFuture<GroupOutlook> outlook(String member) {
      asked = true;
      onAsked.run();
      return CompletableFuture.completedFuture(
          new GroupOutlook(generation, 7, 99, 600_000, outlook));
    }
  }
}
