package io.alrai.gms.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.api.node.LinkedNode;
import io.alrai.gms.topology.LinkedNodes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One member is made the group of a DN: what the catalog decides. */
class ForcedGroupsTest {
  private static final long FIRST = 1L << 32;
  private static final ForcedGroup.Last LAST = new ForcedGroup.Last(3, 99, 1_000);

  private CatalogState state = CatalogState.EMPTY.apply(Samples.ground());

  ForcedGroupsTest() {
    put("dn-1-a", DnMember.Keeps.ROWS, 0);
    put("dn-1-b", DnMember.Keeps.ROWS, 0);
    put("logger-1", DnMember.Keeps.LOG, 0);
    apply(new CatalogCommand.HintLeader(Samples.DN1, "dn-1-a:1", 7));
  }

  private void apply(CatalogCommand command) {
    state = state.apply(command);
  }

  private void put(String name, DnMember.Keeps keeps, long generation) {
    apply(
        new CatalogCommand.PutDnMember(
            Samples.DN1, new DnMember(name, name + ":1", keeps), generation));
  }

  private void force(long generation, String survivor, String... ended) {
    apply(
        new CatalogCommand.ForceGroup(
            Samples.DN1, generation, survivor, LAST, List.of(ended), 5_000));
  }

  private String refusal(Runnable command) {
    CatalogState before = state;
    AlraiException refused = assertThrows(AlraiException.class, command::run);
    assertEquals(before, state);
    return refused.sentence();
  }

  private DataNode dn() {
    return state.catalog().dataNode(Samples.DN1).orElseThrow();
  }

  private List<String> members() {
    return dn().members().stream().map(DnMember::name).toList();
  }

  @Test
  void allOthersAreDroppedAndNoEarlierTermIsBelieved() {
    long version = state.catalog().version();
    force(1, "dn-1-b");
    assertEquals(version + 1, state.catalog().version());
    assertEquals(List.of("dn-1-b"), members());
    assertEquals("dn-1-b:1", dn().address());
    assertEquals(FIRST, dn().term());
    apply(new CatalogCommand.HintLeader(Samples.DN1, "dn-1-a:1", 900));
    assertEquals("dn-1-b:1", dn().address());
    apply(new CatalogCommand.HintLeader(Samples.DN1, "dn-1-b:1", FIRST + 1));
    assertEquals(FIRST + 1, dn().term());
    assertEquals(
        "forced on 1970-01-01T00:00:05Z after entry 99 of term 3, written about"
            + " 1970-01-01T00:00:01Z; what was committed after that is lost",
        dn().forced().sentence());
  }

  @Test
  void whoWasDroppedDoesNotComeBack() {
    force(1, "dn-1-b");
    assertEquals(
        "dn-1-a was dropped from the group of dn-1, of which dn-1-b was made the whole by force",
        refusal(() -> put("dn-1-a", DnMember.Keeps.ROWS, 0)));
    refusal(() -> put("logger-1", DnMember.Keeps.LOG, 0));
    put("dn-1-b", DnMember.Keeps.ROWS, 0); // it has not begun yet
    put("dn-1-c", DnMember.Keeps.ROWS, 1);
    assertEquals(List.of("dn-1-b", "dn-1-c"), members());
  }

  /** They have no vote, and learn from whoever leads; one that has too much is errant. */
  @Test
  void learnersStay() {
    put("r-1", DnMember.Keeps.LEARNER, 0);
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("r-1"), 1, 0, 10));
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-1-a"), 1, 0, 10));
    assertTrue(refusal(() -> force(1, "r-1")).startsWith("r-1 is no member of dn-1"));
    force(1, "dn-1-b");
    assertEquals(List.of("dn-1-b", "r-1"), members());
    assertEquals(List.of("dn-1-a", "logger-1"), dn().forced().ended());
    assertEquals(List.of("r-1"), unaware(), "it may ask one of the others what a snapshot has");
    put("r-1", DnMember.Keeps.LEARNER, 0);
    put("r-2", DnMember.Keeps.LEARNER, 0);
    assertEquals(List.of("dn-1-b", "r-1", "r-2"), members());
    refusal(() -> put("dn-1-a", DnMember.Keeps.ROWS, 0));
  }

  @Test
  void oneIsTheSurvivorOfAGeneration() {
    assertTrue(refusal(() -> force(1, "logger-1")).startsWith("logger-1 is no member of dn-1"));
    assertTrue(refusal(() -> force(1, "%")).startsWith("% is no member of dn-1"));
    force(1, "dn-1-b", "cn-9");
    refusal(() -> force(1, "dn-1-a"));
    refusal(() -> force(0, "dn-1-b"));
    CatalogState forced = state;
    force(1, "dn-1-b", "cn-9");
    assertEquals(forced, state);
    force(1, "dn-1-b", "agent-1", "cn-1");
    assertEquals(List.of("agent-1", "cn-1", "cn-9", "dn-1-a", "logger-1"), dn().forced().ended());
    put("dn-1-c", DnMember.Keeps.ROWS, 1);
    force(2, "dn-1-c");
    assertEquals(List.of("dn-1-c"), members());
    assertEquals(2 * FIRST, dn().term());
    assertEquals(List.of("dn-1-b"), dn().forced().ended());
  }

  @Test
  void everyCnAgentAndColumnNodeIsWaitedForUntilItKnowsOrHasEnded() {
    apply(Samples.renew(Samples.CN1, 1, 0));
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-2-a"), 1, 0, 10));
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-1-a"), 1, 0, 10));
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-1-b"), 1, 0, 10));
    force(1, "dn-1-b");
    long version = state.catalog().version();
    // dn-1-a is out, dn-1-b knows by itself, and a lease that has ended changes nothing
    assertEquals(List.of(Samples.CN1.name(), "dn-2-a"), unaware());
    apply(Samples.renew(Samples.CN1, version, 0));
    assertEquals(List.of("dn-2-a"), unaware());
    force(1, "dn-1-b", "dn-2-a");
    assertEquals(List.of(), unaware());
  }

  private List<String> unaware() {
    return LinkedNodes.unaware(state.catalog(), dn().forced()).stream()
        .map(LinkedNodes.Unaware::name)
        .toList();
  }

  @Test
  void agentsSayWhatTheyKnowAndGoWithTheirMember() {
    long version = state.catalog().version();
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-1-b"), 4, 100, 10));
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-1-a"), 4, 100, 10));
    apply(new CatalogCommand.RenewLinkedNode(new NodeId("dn-1-a"), 5, 200, 10));
    assertEquals(version, state.catalog().version());
    assertEquals(
        List.of(
            new LinkedNode(new NodeId("dn-1-a"), 5, 210),
            new LinkedNode(new NodeId("dn-1-b"), 4, 110)),
        state.catalog().linkedNodes());
    apply(new CatalogCommand.DropDnMember(Samples.DN1, "dn-1-a"));
    apply(new CatalogCommand.RemoveColumnNode(new NodeId("dn-1-b")));
    assertEquals(List.of(), state.catalog().linkedNodes());
  }
}
