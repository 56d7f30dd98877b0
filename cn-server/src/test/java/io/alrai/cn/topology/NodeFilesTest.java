package io.alrai.cn.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleFile;
import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.systemd.UnitFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.dn.raft.GroupMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509KeyManager;
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
    return NodeConfig.read(file, RoleFile.read(file));
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

  private static ClusterSecret installed(Path host, Path authority) {
    MemberTls.Files files =
        new MemberTls.Files(
            host.resolve("member-cert.pem"), host.resolve("member-key.pem"), authority);
    return new Membership(
            read(host).role().secret().secret(),
            new MemberTls(MemberTls.Mode.REQUIRE, Optional.of(files)))
        .open();
  }

  private static ClusterSecret installed(Path host) {
    return installed(host, host.resolve("member-ca.pem"));
  }

  private static boolean believes(Path one, Path other) throws Exception {
    X509KeyManager shown = (X509KeyManager) installed(other).keys().keyManager();
    try {
      installed(one)
          .keys()
          .members(_ -> {})
          .checkClientTrusted(shown.getCertificateChain("member"), "UNKNOWN");
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }

  @Test
  void nodesHaveCertificatesOfTheClustersCa() throws Exception {
    List<Path> made = new NodeFiles(THREE).write(directory);
    MemberTls tls = read(made.get(1)).role().secret().tls();
    assertEquals(MemberTls.Mode.REQUIRE, tls.mode());
    assertEquals(
        Path.of("/etc/alrai/member-key.pem"), tls.files().map(MemberTls.Files::key).orElseThrow());
    assertFalse(PrivateFiles.openToOthers(made.get(1).resolve("member-key.pem")));
    assertFalse(PrivateFiles.openToOthers(directory.resolve("ca").resolve("ca-key.pem")));
    assertTrue(believes(made.get(0), made.get(1)) && believes(made.get(1), made.get(0)));
    assertEquals("CN=node-2", installed(made.get(1)).files().orElseThrow().name());
    Path stranger = new NodeFiles(THREE).write(directory.resolve("other")).getFirst();
    assertFalse(believes(made.get(0), stranger));
  }

  @Test
  void certificatesAreRenewedAndTheCaRotated() throws Exception {
    List<Path> made = new NodeFiles(THREE).write(directory);
    ClusterAuthority authority = new ClusterAuthority(directory);
    String before = Files.readString(made.get(0).resolve("member-cert.pem"));
    assertEquals(made, authority.renew(7));
    assertNotEquals(before, Files.readString(made.get(0).resolve("member-cert.pem")));
    Instant end = installed(made.get(0)).files().orElseThrow().end();
    assertTrue(end.isBefore(Instant.now().plus(Duration.ofDays(8))), end::toString);
    String old = Files.readString(made.get(0).resolve("member-ca.pem"));
    assertEquals(made, authority.rotate());
    assertThrows(AlraiException.class, authority::finish); // nobody has one of the new CA yet
    assertThrows(AlraiException.class, authority::rotate);
    assertTrue(believes(made.get(0), made.get(1)), "by the old one");
    authority.renew(7);
    Path onlyOld = Files.writeString(directory.resolve("old.pem"), old);
    assertThrows(AlraiException.class, () -> installed(made.get(0), onlyOld));
    assertTrue(believes(made.get(0), made.get(1)), "by the new one");
    authority.finish();
    assertNotEquals(old, Files.readString(made.get(0).resolve("member-ca.pem")));
    assertTrue(believes(made.get(0), made.get(1)));
  }

  @Test
  void whatWasMadeWithoutTlsStaysSo() throws IOException {
    String hosts = "hosts: [{host: 127.0.0.2}, {host: 127.0.0.3}, {host: 127.0.0.4}";
    new NodeFiles(Topology.of("tls: false\n" + hosts + "]")).write(directory);
    Path fresh =
        new NodeFiles(Topology.of(hosts + ", {host: 127.0.0.5}]")).write(directory).getFirst();
    assertFalse(Files.readString(fresh.resolve(NodeFiles.CONFIG)).contains("member."));
    assertFalse(Files.exists(directory.resolve("ca")));
    assertThrows(AlraiException.class, () -> new ClusterAuthority(directory).renew(7));
    assertThrows(
        AlraiException.class,
        () -> new NodeFiles(Topology.of("tls: true\n" + hosts + "]")).write(directory));
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
