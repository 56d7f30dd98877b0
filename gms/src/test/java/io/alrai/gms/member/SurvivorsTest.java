package io.alrai.gms.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which nodes count as living for a DROP, by what their leader says at a time. */
class SurvivorsTest {
  private static final GmsPeer ONE = new GmsPeer(new NodeId("gms-1"), "h:1");
  private static final GmsPeer TWO = new GmsPeer(new NodeId("gms-2"), "h:2");
  private static final GmsPeer THREE = new GmsPeer(new NodeId("gms-3"), "h:3");
  private static final List<GmsPeer> LEFT = List.of(ONE, THREE);

  private long millis = 5_000;
  private final Survivors survivors = new Survivors(() -> millis * 1_000_000);

  /** A look that takes no time. */
  private Optional<List<String>> look(int term, long silentMillis) {
    SeenNode.Lead lead =
        new SeenNode.Lead(
            new GmsMembers(0, term, List.of(ONE, TWO, THREE)),
            List.of(ONE, TWO, THREE),
            false,
            Map.of("gms-3", Duration.ofMillis(silentMillis)));
    return survivors.living(
        new SeenNode(ONE, 0, Optional.of(lead)), LEFT, Duration.ofMillis(millis).toNanos());
  }

  @Test
  void whoAnswersAfterItWasAskedForLives() {
    assertEquals(Optional.empty(), look(1, 0));
    millis += 100;
    assertEquals(Optional.empty(), look(1, 100)); // before it
    millis += 100;
    assertEquals(Optional.of(List.of("gms-1", "gms-3")), look(1, 50));
  }

  @Test
  void whoHasJustDiedDoesNotCount() {
    for (int silent = 10; silent < 1_500; silent += 100, millis += 100) {
      assertEquals(Optional.empty(), look(1, silent));
    }
    assertEquals(Optional.of(List.of("gms-1")), look(1, 1_510));
  }

  /** A new leader counts all as silent for as long as an election may take. */
  @Test
  void aNewLeaderIsLookedAtAnew() {
    assertEquals(Optional.empty(), look(1, 3_000));
    millis += 2_000;
    assertEquals(Optional.of(List.of("gms-1")), look(1, 5_000));
    assertEquals(Optional.empty(), look(2, 1_500));
    millis += 200;
    assertEquals(Optional.empty(), look(2, 1_700));
    millis += 100;
    assertEquals(Optional.of(List.of("gms-1", "gms-3")), look(2, 20));
  }

  @Test
  void aLeaderThatWouldBeAloneWaitsForNobody() {
    SeenNode.Lead lead = new SeenNode.Lead(new GmsMembers(0, 1, LEFT), LEFT, false, Map.of());
    SeenNode leader = new SeenNode(ONE, 0, Optional.of(lead));
    assertEquals(
        Optional.of(List.of("gms-1")), survivors.living(leader, List.of(ONE), millis * 1_000_000));
  }
}
