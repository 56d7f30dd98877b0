package io.alrai.gms.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownGmsTest {
  private static final GmsPeer ONE = new GmsPeer(new NodeId("gms-1"), "h:1");
  private static final GmsPeer TWO = new GmsPeer(new NodeId("gms-2"), "h:2");
  private static final GmsPeer MOVED = new GmsPeer(new NodeId("gms-2"), "h:22");

  @TempDir private Path dir;

  @Test
  void nobodyGoesBack() {
    Path file = dir.resolve("gms-of").resolve("cn-1");
    KnownGms known = new KnownGms(List.of(ONE, TWO), Optional.of(file));
    assertEquals(GmsMembers.configured(List.of(ONE, TWO)), known.latest());
    assertTrue(known.learn(new GmsMembers(0, 5, List.of(ONE, MOVED))));
    assertFalse(known.learn(new GmsMembers(0, 4, List.of(ONE))));
    assertFalse(known.learn(new GmsMembers(0, 5, List.of(ONE, MOVED))));
    assertEquals(List.of(ONE, MOVED, TWO), known.everybody()); // either may be right
    assertTrue(known.learn(new GmsMembers(3, 0, List.of(ONE))));
    assertFalse(known.learn(new GmsMembers(0, 1L << 60, List.of(TWO))));

    KnownGms again = new KnownGms(List.of(TWO), Optional.of(file));
    assertEquals(new GmsMembers(3, 0, List.of(ONE)), again.latest());
    assertEquals(List.of(ONE, TWO), again.everybody());
  }

  /** It counts as lost, and is written anew. */
  @Test
  void aFileThatIsNone() throws IOException {
    Path file = dir.resolve("members");
    for (String content :
        List.of("", "\0\0\0\0", "generation = x\n", "generation = 7\nterm = 1\ngms = \n")) {
      Files.writeString(file, content);
      assertEquals(Optional.empty(), KnownGms.read(file));
      KnownGms known = new KnownGms(List.of(ONE), Optional.of(file));
      assertEquals(GmsMembers.configured(List.of(ONE)), known.latest());
      assertTrue(known.learn(new GmsMembers(0, 1, List.of(TWO))));
      assertEquals(Optional.of(known.latest()), KnownGms.read(file));
    }
    Path directory = Files.createDirectory(dir.resolve("directory"));
    assertThrows(AlraiException.class, () -> KnownGms.read(directory), "it may know more");
  }

  /** One that was forced is believed before it leads; a leader of an earlier generation is not. */
  @Test
  void theLatestGenerationCounts() {
    SeenNode old = leads(TWO, new GmsMembers(0, 9, List.of(ONE, TWO)));
    SeenNode forced = new SeenNode(ONE, 1, Optional.empty());
    assertEquals(
        Optional.of(new GmsMembers(0, 9, List.of(ONE, TWO))), MembersLook.newest(List.of(old)));
    assertEquals(
        Optional.of(new GmsMembers(1, 0, List.of(ONE))), MembersLook.newest(List.of(old, forced)));
    assertEquals(
        Optional.empty(), MembersLook.newest(List.of(new SeenNode(ONE, 0, Optional.empty()))));
    assertEquals(Optional.empty(), MembersLook.newest(List.of()));

    KnownGms known = new KnownGms(List.of(ONE, TWO), Optional.empty());
    assertEquals(Optional.of(old), known.hear(List.of(old)));
    assertEquals(Optional.empty(), known.hear(List.of(old, forced)));
    assertEquals(new GmsMembers(1, 0, List.of(ONE)), known.latest());
    assertEquals(Optional.empty(), known.hear(List.of(old)));
    SeenNode leads = leads(ONE, new GmsMembers(1, 10, List.of(ONE)));
    assertEquals(Optional.of(leads), known.hear(List.of(old, leads)));
  }

  /** A node that answers at two addresses stays at the one that is known. */
  @Test
  void oneNodeAtTwoAddresses() {
    SeenNode known = leads(TWO, new GmsMembers(0, 9, List.of(ONE, TWO)));
    SeenNode configured = leads(MOVED, new GmsMembers(0, 9, List.of(ONE, MOVED)));
    assertEquals(Optional.of(known), MembersLook.leader(List.of(known, configured)));
    assertEquals(
        Optional.of(new GmsMembers(1, 0, List.of(ONE, TWO))),
        MembersLook.newest(
            List.of(
                new SeenNode(TWO, 1, Optional.empty()),
                new SeenNode(MOVED, 1, Optional.empty()),
                new SeenNode(ONE, 1, Optional.empty()))));
  }

  private static SeenNode leads(GmsPeer node, GmsMembers members) {
    return new SeenNode(
        node,
        members.generation(),
        Optional.of(
            new SeenNode.Lead(members, members.peers(), false, Map.of("x", Duration.ZERO))));
  }

  @Test
  void generationsAreInTheId() {
    long next = GmsMembers.nextGeneration(0, new Random(1));
    assertTrue(next >= 1024 && next < 2048, () -> "" + next);
    assertNotEquals(next, GmsMembers.nextGeneration(0, new Random(2)));
    assertTrue(GmsMembers.nextGeneration(next, new Random(1)) >= 2048);
    for (long generation : new long[] {0, 1, next, Integer.MAX_VALUE}) {
      assertEquals(
          OptionalLong.of(generation),
          GmsGroup.generation("c", GmsGroup.id("c", generation).getUuid()));
    }
    assertEquals(OptionalLong.empty(), GmsGroup.generation("d", GmsGroup.id("c", 0).getUuid()));
  }

  @Test
  void namesAndAddresses() {
    assertEquals(ONE, GmsPeer.of("gms-1", "h:1"));
    assertEquals(List.of(ONE, TWO), GmsPeer.parse(GmsPeer.text(List.of(ONE, TWO))));
    for (String name :
        List.of("", "a b", "a%_", "'", "`", "\u00e9", "x".repeat(64), "a@b", "a,b")) {
      assertThrows(AlraiException.class, () -> GmsPeer.of(name, "h:1"));
    }
    for (String address : List.of("", "h", "h:", ":1", "h:x", "h:123456", "a,b:1", "a b:1")) {
      assertThrows(AlraiException.class, () -> GmsPeer.of("gms-1", address));
    }
    assertThrows(AlraiException.class, () -> GmsPeer.parse("gms-1"));
  }
}
