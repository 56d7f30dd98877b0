package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.member.KnownGms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GmsRolesTest {
  @TempDir Path directory;

  private void write(List<RoleConfig> roles) throws IOException {
    PrivateFiles.directory(directory.resolve("etc"));
    for (RoleConfig role : roles) {
      PrivateFiles.write(ProcessCluster.configOf(directory, role.node()), role.text());
    }
  }

  private static List<String> names(List<RoleConfig> roles) {
    return roles.stream().map(RoleConfig::node).toList();
  }

  @Test
  void allKnowAll() throws IOException {
    List<RoleConfig> roles = GmsRoles.of(directory, 3);
    assertEquals(List.of("gms-1", "gms-2", "gms-3"), names(roles));
    assertEquals(1, roles.stream().map(RoleConfig::gms).distinct().count());
    assertEquals(1, roles.stream().map(RoleConfig::secret).distinct().count());
    for (int i = 0; i < 3; i++) {
      assertEquals(
          roles.getFirst().gms().get(i).address(), "127.0.0.1:" + roles.get(i).listen().getPort());
    }
    assertEquals(3, roles.stream().map(RoleConfig::listen).distinct().count());
  }

  @Test
  void aClusterKeepsItsNumber() throws IOException {
    assertFalse(GmsRoles.exist(directory));
    List<RoleConfig> one = GmsRoles.of(directory, 1);
    assertEquals(List.of("gms-1"), names(one));
    write(one);
    assertTrue(GmsRoles.exist(directory));
    assertEquals(one, GmsRoles.of(directory, 3));
  }

  @Test
  void aFirstStartThatEndedIsGoneOnWith() throws IOException {
    List<RoleConfig> three = GmsRoles.of(directory, 3);
    write(three);
    Files.delete(ProcessCluster.configOf(directory, "gms-3"));
    assertEquals(three, GmsRoles.of(directory, 1));
  }

  /** What the nodes have heard counts, also for those that are not written down in a file. */
  @Test
  void nodesComeAndGo() throws IOException {
    List<RoleConfig> three = GmsRoles.of(directory, 3);
    write(three);
    String address = GmsRoles.add(directory, "gms-12");
    refused(() -> GmsRoles.add(directory, "gms-12"), "is taken");
    refused(() -> GmsRoles.add(directory, "gms-x"), "is named gms-N");
    refused(() -> GmsRoles.remove(directory, "gms-2"), "ALTER SYSTEM DROP GMS first");
    refused(() -> GmsRoles.remove(directory, "gms-7"), "there is no");
    RoleConfig joiner = RoleFile.read(ProcessCluster.configOf(directory, "gms-12"));
    assertEquals(three.getFirst().gms(), joiner.gms());
    assertTrue(joiner.gmsNode().joins());

    GmsPeer added = new GmsPeer(new NodeId("gms-12"), address);
    List<GmsPeer> now = List.of(three.get(0).gms().get(0), three.get(0).gms().get(2), added);
    KnownGms.write(directory.resolve("gms-3/members"), new GmsMembers(0, 7, now));
    assertEquals(List.of("gms-1", "gms-2", "gms-3", "gms-12"), names(GmsRoles.of(directory, 3)));
    Files.createDirectory(directory.resolve("gms-2"));
    Files.writeString(directory.resolve("gms-2/dropped"), "");
    GmsRoles.remove(directory, "gms-2");
    List<RoleConfig> left = GmsRoles.of(directory, 3);
    assertEquals(List.of("gms-1", "gms-3", "gms-12"), names(left));
    assertEquals(List.of(now), left.stream().map(RoleConfig::gms).distinct().toList());
    assertFalse(left.getLast().gmsNode().joins());
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static void refused(Attempt attempt, String why) {
    AlraiException refusal = assertThrows(AlraiException.class, attempt::run);
    assertTrue(refusal.sentence().contains(why), refusal::sentence);
  }
}
