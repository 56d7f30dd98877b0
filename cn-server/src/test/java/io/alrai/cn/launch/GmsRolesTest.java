package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.RoleConfig;
import io.alrai.common.secret.PrivateFiles;
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
}
