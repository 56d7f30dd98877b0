package io.alrai.cn.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.process.DnGroup;
import io.alrai.cn.process.RoleConfig;
import io.alrai.cn.systemd.UnitFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.dn.raft.GroupMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of hosts, as the roles read them. */
class NodeFilesTest {
  private static final Topology THREE =
      Topology.of(
          """
          replicas: 3
          home: /usr/lib/alrai
          hosts:
            - {host: 127.0.0.2, zone: "a é"}
            - {host: 127.0.0.3, columnar: true}
            - {host: 127.0.0.4, data: /data/x}
          """);

  @TempDir Path directory;

  private static NodeConfig read(Path host) {
    Path file = host.resolve(NodeFiles.CONFIG);
    return NodeConfig.read(file, RoleConfig.read(file));
  }

  @Test
  void threeHostsAreOneDn() throws IOException {
    Path out = directory.resolve("new/out");
    List<Path> made = new NodeFiles(THREE).write(out);
    assertEquals(
        List.of(out.resolve("127.0.0.2"), out.resolve("127.0.0.3"), out.resolve("127.0.0.4")),
        made);
    List<NodeConfig> nodes = made.stream().map(NodeFilesTest::read).toList();
    assertEquals(List.of("cn-1", "cn-2", "cn-3"), nodes.stream().map(NodeConfig::cn).toList());
    assertEquals(
        List.of("dn-1-a", "dn-1-b", "dn-1-c"),
        nodes.stream().map(node -> node.agent().name()).toList());
    DnGroup group = nodes.get(1).role().groups().getFirst();
    assertEquals(
        List.of("127.0.0.2:8529", "127.0.0.3:8529", "127.0.0.4:8529"),
        group.members().stream().map(GroupMember::address).toList());
    assertTrue(nodes.stream().allMatch(node -> node.gms().isPresent()));
    assertEquals(
        List.of(false, true, false),
        nodes.stream().map(node -> node.columnar().isPresent()).toList());
    assertEquals(Path.of("/data/x"), nodes.get(2).role().data());
    assertEquals(9100, nodes.get(0).role().metricsPort());
    assertEquals(1, nodes.stream().map(node -> node.role().secret()).distinct().count());
    assertTrue(Files.readString(made.get(0).resolve("node.properties")).contains("zone = a é\n"));
    assertFalse(PrivateFiles.openToOthers(made.get(0).resolve(NodeFiles.CONFIG)));
    UnitFile usual = UnitFile.node("alrai", "/var/lib/alrai", "/usr/lib/alrai");
    assertEquals(usual.text(), Files.readString(made.get(0).resolve("alrai-node.service")));
    assertTrue(usual.text().contains(" --config " + NodeFiles.INSTALLED + "\n"), usual.text());
    assertTrue(Files.readString(made.get(2).resolve("alrai-node.service")).contains("=-/data/x\n"));
  }

  @Test
  void eachHostIsADnWithOneReplica() {
    List<NodeConfig> nodes =
        new NodeFiles(Topology.of("hosts: [{host: 127.0.0.2}, {host: 127.0.0.3}]"))
            .write(directory).stream().map(NodeFilesTest::read).toList();
    assertEquals(List.of("dn-1", "dn-2"), nodes.stream().map(node -> node.agent().name()).toList());
    assertEquals(List.of(true, false), nodes.stream().map(node -> node.gms().isPresent()).toList());
    assertTrue(nodes.stream().allMatch(node -> node.role().groups().isEmpty()));
  }

  @Test
  void nothingIsWrittenOverAndTheSecretStays() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    new NodeFiles(THREE).write(directory);
    assertTrue(PrivateFiles.openToOthers(directory), "it was there before");
    assertFalse(PrivateFiles.openToOthers(directory.resolve("secret")));
    String secret = read(directory.resolve("127.0.0.2")).role().secret().secret();
    assertEquals(List.of(), new NodeFiles(THREE).write(directory));
    Path moved = directory.resolve("127.0.0.4").resolve(NodeFiles.CONFIG);
    Files.writeString(moved, "node = node-4\n");
    AlraiException refused =
        assertThrows(AlraiException.class, () -> new NodeFiles(THREE).write(directory));
    assertTrue(refused.sentence().contains("127.0.0.4/node.properties"), refused.sentence());
    Files.delete(moved);
    assertEquals(List.of(directory.resolve("127.0.0.4")), new NodeFiles(THREE).write(directory));
    assertEquals(secret, read(directory.resolve("127.0.0.4")).role().secret().secret());
  }

  @Test
  void hostsAreAddedAtTheEnd() {
    String three = "{host: 127.0.0.2}, {host: 127.0.0.3}, {host: 127.0.0.4}";
    new NodeFiles(Topology.of("hosts: [" + three + "]")).write(directory);
    List<Path> made =
        new NodeFiles(Topology.of("hosts: [" + three + ", {host: 127.0.0.5}]")).write(directory);
    assertEquals(List.of(directory.resolve("127.0.0.5")), made);
    assertEquals("dn-4", read(made.getFirst()).agent().name());
    NodeFiles inFront = new NodeFiles(Topology.of("hosts: [{host: 127.0.0.9}, " + three + "]"));
    assertThrows(AlraiException.class, () -> inFront.write(directory));
  }

  @Test
  void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    AlraiException refused =
        assertThrows(AlraiException.class, () -> new NodeFiles(THREE).write(file.resolve("below")));
    assertTrue(refused.sentence().contains(file.toString()), refused.sentence());
  }
}
