package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.config.RoleConfig;
import io.alrai.common.id.DnId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DnRolesTest {
  @TempDir Path directory;

  /** It is refused then, and its DN is there without it. */
  @Test
  void aFounderThatHasLostItsDirectoryIsNotWaitedFor() throws IOException {
    RoleConfig gms = GmsRoles.of(directory, 1).getFirst();
    List<RoleConfig> agents = DnRoles.of(directory, gms, 2, 1).agents();
    assertEquals(List.of(List.of("dn-1"), List.of("dn-2")), DnRoles.byDn(agents));
    DnRoles grown = new DnRoles(agents, List.of(), List.of(new DnId("dn-1")));
    assertEquals(0, grown.enough(List.of("dn-1")));
    assertEquals(1, grown.enough(List.of("dn-2")));
    Files.createDirectory(directory.resolve("dn-1"));
    assertEquals(1, grown.enough(List.of("dn-1")), "others wait to join the only replica");
  }
}
