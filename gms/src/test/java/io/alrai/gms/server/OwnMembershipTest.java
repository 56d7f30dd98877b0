package io.alrai.gms.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.member.SeenNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is dropped by what it sees, and who is not. */
class OwnMembershipTest {
  private static final String JOINER = "gms-4";
  private static final long GENERATION = 1_337;

  private final KnownGms known = new KnownGms(peers("gms-1", "gms-2", JOINER), Optional.empty());

  private static GmsPeer peer(String name) {
    return new GmsPeer(new NodeId(name), name + ":1");
  }

  private static List<GmsPeer> peers(String... names) {
    return Stream.of(names).map(OwnMembershipTest::peer).toList();
  }

  private static GmsMembers members(long term, String... names) {
    return new GmsMembers(GENERATION, term, peers(names));
  }

  private static SeenNode follows(String name) {
    return new SeenNode(peer(name), GENERATION, Optional.empty());
  }

  private static SeenNode leads(String name, boolean changing, long term, String... named) {
    return new SeenNode(
        peer(name),
        GENERATION,
        Optional.of(new SeenNode.Lead(members(term, named), peers(named), changing, Map.of())));
  }

  private OwnMembership joiner() {
    return new OwnMembership(new NodeId(JOINER), GENERATION, true, known);
  }

  private static void stays(OwnMembership node, SeenNode... seen) {
    assertEquals(Optional.empty(), node.look(List.of(seen)));
  }

  private static void isDropped(OwnMembership node, SeenNode... seen) {
    assertEquals(Optional.of(GmsServer.GO_ON_WITHOUT_IT), node.look(List.of(seen)));
  }

  @Test
  void aJoinerWaitsUntilItWasNamed() {
    OwnMembership joiner = joiner();
    stays(joiner, leads("gms-1", false, 2, "gms-1"), follows(JOINER));
    // nobody leads for a while: it sees itself
    stays(joiner, follows("gms-1"), follows(JOINER));
    stays(joiner, leads("gms-1", false, 3, "gms-1"), follows(JOINER));
    stays(joiner, leads("gms-1", false, 3, "gms-1", JOINER), follows(JOINER));
    isDropped(joiner, leads("gms-1", false, 3, "gms-1"), follows(JOINER));
  }

  @Test
  void anAdditionThatDidNotComeAboutNamesNobody() {
    OwnMembership joiner = joiner();
    stays(joiner, leads("gms-1", true, 2, "gms-1", "gms-2", JOINER));
    stays(joiner, leads("gms-2", false, 3, "gms-1", "gms-2"));
  }

  @Test
  void aLeaderOfAnEarlierTermMayNotHaveHeardOfIt() {
    OwnMembership joiner = joiner();
    stays(joiner, leads("gms-2", false, 5, "gms-1", "gms-2", JOINER));
    stays(joiner, leads("gms-1", false, 4, "gms-1", "gms-2"));
    isDropped(joiner, leads("gms-2", false, 5, "gms-1", "gms-2"));
  }

  @Test
  void whatItHasKeptCountsWhereALeaderSaidIt() {
    known.learn(members(0, "gms-1", JOINER));
    stays(joiner(), leads("gms-1", false, 9, "gms-1"));
    known.learn(members(8, "gms-1", JOINER));
    isDropped(joiner(), leads("gms-1", false, 9, "gms-1"));
  }

  @Test
  void aFounderIsDroppedWhenNoChangeIsAtWork() {
    OwnMembership founder = new OwnMembership(new NodeId("gms-2"), GENERATION, false, known);
    stays(founder, leads("gms-1", true, 1, "gms-1", "gms-3"));
    isDropped(founder, leads("gms-1", false, 1, "gms-1", "gms-3"));
  }

  @Test
  void aLaterGenerationEndsIt() {
    SeenNode forced = new SeenNode(peer("gms-1"), GENERATION + 1_024, Optional.empty());
    assertEquals(
        Optional.of("gms-1 was made the group of the GMS by force and is in generation 2361"),
        joiner().look(List.of(forced)));
  }
}
