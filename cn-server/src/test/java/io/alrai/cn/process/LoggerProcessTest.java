package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.raft.DeafEvents;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.client.RaftGmsClient;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A logger beside a GMS and members that have logs and no mysqld. */
class LoggerProcessTest {
  private static final DnId DN = new DnId("dn-1");
  private static final DnId OTHER = new DnId("dn-2");
  private static final String LOGGER = "logger-1";

  private final Membership secret = Membership.fresh(MemberTls.OFF);
  private final List<GmsPeer> peers =
      List.of(new GmsPeer(new NodeId("gms-1"), "127.0.0.1:" + ListenPorts.free()));

  @TempDir Path directory;

  LoggerProcessTest() throws IOException {}

  private static GroupMember member(String name, GroupMember.Keeps keeps) throws IOException {
    return new GroupMember(name, "127.0.0.1:" + ListenPorts.free(), keeps);
  }

  private static DnGroup group(DnId dn) throws IOException {
    return new DnGroup(
        dn,
        List.of(member(dn + "-a", GroupMember.Keeps.ROWS), member(LOGGER, GroupMember.Keeps.LOG)),
        false);
  }

  private RoleConfig role(String name, DnGroup... groups) throws IOException {
    return RoleConfig.usual(
            name, directory, new InetSocketAddress("127.0.0.1", ListenPorts.free()), peers, secret)
        .withGroups(List.of(groups));
  }

  private GmsServer gms() {
    return GmsServer.start(
        GmsConfig.of(peers.getFirst().id(), peers, directory.resolve("gms-1"), secret.open()));
  }

  private RaftGmsClient client() {
    return RaftGmsClient.connect(peers, secret.open(), new Metrics());
  }

  private GroupLog agentsLog(DnGroup group) throws IOException {
    return GroupLog.start(
        role(group.dn() + "-a", group).inGroup(group), new DeafEvents(Assertions::fail));
  }

  /** As an agent does when it has its log. */
  private static void register(RaftGmsClient gms, DnId dn) {
    gms.submit(
        new CatalogCommand.PutDnMember(dn, new DnMember(dn + "-a", "host:1", DnMember.Keeps.ROWS)));
  }

  private static Optional<DnMember> known(RaftGmsClient gms, DnId dn) {
    return gms.catalog().dataNode(dn).stream()
        .map(DataNode::members)
        .flatMap(List::stream)
        .filter(member -> member.name().equals(LOGGER))
        .findFirst();
  }

  private static void awaitKnown(RaftGmsClient gms, DnGroup group) throws Exception {
    Eventually.await("its place in the catalog", () -> known(gms, group.dn()).isPresent());
    assertEquals(
        new DnMember(LOGGER, group.own(LOGGER).address(), DnMember.Keeps.LOG),
        known(gms, group.dn()).orElseThrow());
  }

  private static Closers started(RoleConfig logger) {
    Closers parts = new Closers();
    parts.add(new LoggerProcess(logger).start().parts());
    return parts;
  }

  private void lose(GroupConfig log) throws IOException {
    Files.move(log.directory(), directory.resolve("lost-" + log.group()));
  }

  private static void refused(RoleConfig logger, GroupConfig lost) {
    AlraiException refusal = assertThrows(AlraiException.class, () -> started(logger).close());
    assertTrue(
        refusal.sentence().startsWith("the log of logger-1 is not in " + lost.directory()),
        refusal.sentence());
    assertTrue(refusal.sentence().endsWith("DROP NODE and ADD LOGGER"), refusal.sentence());
    assertFalse(GroupLog.isThere(lost));
  }

  @Test
  void aLogThatIsLostIsNotBegunAgain() throws Exception {
    DnGroup founded = group(DN);
    DnGroup joined = DnGroup.joining(OTHER, member(LOGGER, GroupMember.Keeps.LOG));
    RoleConfig logger = role(LOGGER, founded, joined);
    GroupConfig log = logger.inGroup(founded);
    GroupConfig joinersLog = logger.inGroup(joined);
    // one whose log is there need not be known: catalogs of earlier versions do not know it
    GroupLog.start(joinersLog.of(1), new DeafEvents(Assertions::fail)).close();
    try (GroupLog agent = agentsLog(founded)) {
      try (GmsServer _ = gms();
          RaftGmsClient gms = client()) {
        try (Closers _ = started(logger)) {
          Eventually.await("a leader", agent::leads);
          register(gms, OTHER);
          awaitKnown(gms, joined); // so it has looked at both
          // the catalog hears later that the group was forced, and has the survivor alone then
          gms.submit(
              new CatalogCommand.ForceGroup(
                  OTHER, 1, OTHER + "-a", ForcedGroup.Last.NONE, List.of(), 0));
          awaitKnown(gms, joined);
          assertEquals(Optional.empty(), known(gms, DN)); // its agents make a DN known
          register(gms, DN);
          awaitKnown(gms, founded);
        }
        // the group whose log it has goes on
        lose(log);
        started(logger).close();
        assertFalse(GroupLog.isThere(log));
        assertTrue(GroupLog.isThere(joinersLog));
        lose(joinersLog);
        refused(logger, log);
        assertFalse(GroupLog.isThere(joinersLog));
      }
    }
  }
}
