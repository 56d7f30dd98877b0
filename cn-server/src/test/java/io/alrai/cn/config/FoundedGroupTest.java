package io.alrai.cn.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.gms.api.node.GmsPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoundedGroupTest {
  private static final DnGroup GROUP =
      new DnGroup(
          new DnId("dn-1"), List.of(new GroupMember("dn-1", "127.0.0.1:4711", Keeps.ROWS)), false);

  @TempDir Path data;

  @BeforeEach
  void make() throws IOException {
    Files.createDirectory(data.resolve("dn-1"));
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    assertEquals(Optional.empty(), FoundedGroup.read(data, "dn-1"));
    FoundedGroup.write(data, "dn-1", GROUP);
    assertEquals(Optional.of(GROUP), FoundedGroup.read(data, "dn-1"));
    FoundedGroup.write(data, "dn-1", GROUP); // again
    assertEquals(Optional.of(GROUP), FoundedGroup.read(data, "dn-1"));
    assertEquals(
        "group.dn-1 = dn-1@127.0.0.1:4711/rows\n",
        Files.readString(data.resolve("dn-1").resolve("group")));
  }

  @Test
  void whatACrashLeavesBeforeItIsThereIsNoGroup() throws IOException {
    Files.writeString(data.resolve("dn-1").resolve("group.next"), "group.dn-1 = dn-1@127.0.0");
    assertEquals(Optional.empty(), FoundedGroup.read(data, "dn-1"));
  }

  @Test
  void oneThatIsDamagedIsNotTakenForNone() throws IOException {
    for (String text :
        List.of(
            "",
            "\n",
            "group.dn-1 =",
            "group.dn-1 = dn-1",
            "group.dn-1 = dn-1@127.0.0.1/rows",
            "group.dn-1 = dn-2@127.0.0.1:4711/rows",
            "group.dn-1 = dn-1@127.0.0.1:4711/log",
            "group. = dn-1@127.0.0.1:4711/rows",
            "group.../x = dn-1@127.0.0.1:4711/rows",
            "group.\\u00zz = x",
            "dn-1@127.0.0.1:4711/rows")) {
      Files.writeString(data.resolve("dn-1").resolve("group"), text);
      AlraiException refused =
          assertThrows(AlraiException.class, () -> FoundedGroup.read(data, "dn-1"), text);
      assertTrue(refused.sentence().contains("bring it back"), refused::sentence);
    }
    byte[] noText = {(byte) 0xff, (byte) 0xfe, 0, 1};
    Files.write(data.resolve("dn-1").resolve("group"), noText);
    assertThrows(AlraiException.class, () -> FoundedGroup.read(data, "dn-1"));
  }

  @Test
  void theConfigurationOfItsAgentHasIt() throws IOException {
    Path file = data.resolve("dn-1.properties");
    RoleConfig role =
        RoleConfig.usual(
            "dn-1",
            data,
            new InetSocketAddress("127.0.0.1", 1),
            List.of(new GmsPeer(new NodeId("gms-1"), "127.0.0.1:2")),
            Membership.fresh(MemberTls.OFF));
    Files.writeString(file, role.text(), StandardCharsets.UTF_8);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(List.of(), RoleFile.read(file).groups());
    FoundedGroup.write(data, "dn-1", GROUP);
    assertEquals(List.of(GROUP), RoleFile.read(file).groups());
  }
}
