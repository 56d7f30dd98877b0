package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.DnGroup;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.raft.DeafEvents;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LogBounds;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.client.LocalGms;
import io.alrai.raft.GroupIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How members begin of a group of which one was forced. */
class ForcedMemberTest {
  private static final DnId DN = new DnId("dn-1");

  @TempDir Path directory;
  private final LocalGms gms = new LocalGms(() -> 0);

  @BeforeEach
  void members() {
    put("dn-1-a");
    put("dn-1-b");
    gms.submit(new CatalogCommand.HintLeader(DN, "dn-1-a:1", 7));
  }

  private static DnMember member(String name) {
    return new DnMember(name, name + ":1", DnMember.Keeps.ROWS);
  }

  private void put(String name) {
    gms.submit(new CatalogCommand.PutDnMember(DN, member(name)));
  }

  private void force(String survivor) {
    gms.submit(new CatalogCommand.ForceGroup(DN, 1, survivor, ForcedGroup.Last.NONE, List.of(), 0));
  }

  /** A member whose log is of a generation. */
  private GroupConfig withLog(String name, long generation) throws IOException {
    GroupConfig config =
        DnGroup.parse(DN, "dn-1-a@127.0.0.1:1/rows,dn-1-b@127.0.0.1:2/rows")
            .config(
                name, directory, new ClusterSecret(ClusterSecret.fresh()), LogBounds.standard());
    Files.createDirectories(
        config
            .directory()
            .resolve(
                new GroupIds("alrai-dn:" + config.group()).of(generation).getUuid().toString()));
    return config;
  }

  private AlraiException refusal(GroupConfig config) {
    return assertThrows(AlraiException.class, () -> ForcedMember.begin(gms.catalog(), DN, config));
  }

  private DataNode dn() {
    return gms.catalog().dataNode(DN).orElseThrow();
  }

  @Test
  void anotherOneIsDropped() throws IOException {
    GroupConfig other = withLog("dn-1-a", 0);
    ForcedMember.begin(gms.catalog(), DN, other);
    force("dn-1-b");
    assertTrue(refusal(other).sentence().startsWith("dn-1-a was dropped: dn-1-b is the group"));
    assertTrue(GroupLog.isDropped(other));
  }

  @Test
  void theSurvivorWaitsAtItsStartToo() throws IOException {
    gms.submit(new CatalogCommand.RenewLinkedNode(new NodeId("dn-2-a"), 1, 0, 10));
    force("dn-1-b");
    GroupConfig survivor = withLog("dn-1-b", 0);
    ForcedMember.begin(gms.catalog(), DN, survivor);
    assertEquals(0, GroupLog.generation(survivor).orElseThrow());
  }

  /** The GMS was forced after the group, and the first that it hears of is one that has joined. */
  @Test
  void onlyTheSurvivorTellsThatItWas() {
    ForcedMember.register(gms, DN, member("dn-1-c"), 1, false);
    assertEquals(ForcedGroup.NONE, dn().forced());
    ForcedMember.register(gms, DN, member("dn-1-b"), 1, true);
    assertEquals("dn-1-b", dn().forced().survivor());
    assertEquals(List.of(member("dn-1-b")), dn().members());
    long version = dn().forced().version();
    ForcedMember.register(gms, DN, member("dn-1-c"), 1, false);
    ForcedMember.register(gms, DN, member("dn-1-b"), 1, true);
    assertEquals(List.of(member("dn-1-b"), member("dn-1-c")), dn().members());
    assertEquals(version, dn().forced().version());
  }

  /** The survivor tells it the catalog, which then has nobody else. */
  @Test
  void whoHasJoinedPutsItselfAgainWhereTheCatalogHearsOfItLater() throws Exception {
    GroupConfig joined =
        DnGroup.parse(DN, "dn-1-c@127.0.0.1:" + ListenPorts.free() + "/rows")
            .config(
                "dn-1-c", directory, new ClusterSecret(ClusterSecret.fresh()), LogBounds.standard())
            .of(1);
    AtomicInteger puts = new AtomicInteger();
    try (GroupLog log = GroupLog.start(joined, new DeafEvents(reason -> {}));
        ForcedMember watch = ForcedMember.watch(DN, gms, "dn-1-c")) {
      watch.of(log, puts::incrementAndGet);
      assertEquals(0, puts.get());
      force("dn-1-b");
      Eventually.await("it is put again", () -> puts.get() == 1);
      assertFalse(GroupLog.isDropped(joined));
    }
  }

  /** What it has committed as the group is not in there. */
  @Test
  void anOlderDirectoryOfTheSurvivorIsNotMadeTheGroupOnceMore() throws IOException {
    force("dn-1-b");
    gms.submit(new CatalogCommand.HintLeader(DN, "dn-1-b:1", (1L << 32) + 1));
    GroupConfig older = withLog("dn-1-b", 0);
    String sentence = refusal(older).sentence();
    assertTrue(sentence.contains("is as it was before: bring back the directory"), sentence);
    assertEquals(0, GroupLog.generation(older).orElseThrow());
    assertFalse(GroupLog.isDropped(older));
    assertTrue(Files.exists(older.directory().resolve("lost")));
    GroupConfig later = withLog("dn-1-b", 1);
    ForcedMember.begin(gms.catalog(), DN, later);
    assertEquals(1, GroupLog.generation(later).orElseThrow());
    assertEquals("dn-1-b", dn().forced().survivor());
  }
}
