package io.alrai.cn.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.RoleFile;
import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.topology.HostCheck.Finding;
import io.alrai.cn.topology.HostCheck.Verdict;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a machine. */
class HostCheckTest {
  @TempDir Path directory;

  private NodeConfig node;

  @BeforeEach
  void make() {
    Topology topology =
        Topology.of(
            "{replicas: 3, hosts: [{host: 127.0.0.2}, {host: 127.0.0.3}, {host: 127.0.0.4}]}");
    Path file = new NodeFiles(topology).write(directory).getFirst().resolve(NodeFiles.CONFIG);
    node = NodeConfig.read(file, RoleFile.read(file));
  }

  private Finding found(Consumer<HostCheck> look) {
    HostCheck check = new HostCheck(node);
    look.accept(check);
    assertEquals(1, check.findings().size());
    return check.findings().getFirst();
  }

  private void says(Verdict verdict, String text, Consumer<HostCheck> look) {
    Finding finding = found(look);
    assertEquals(verdict, finding.verdict(), finding.text());
    assertTrue(finding.text().contains(text), finding.text());
  }

  @Test
  void eachPortAndEachMachineIsLookedAt() {
    List<Finding> all = HostCheck.of(node);
    for (int port : List.of(8527, 8528, 8529, 8600, 9100)) {
      assertTrue(
          all.stream().anyMatch(finding -> finding.text().startsWith("127.0.0.2:" + port + " ")),
          all::toString);
    }
    for (String other :
        List.of("127.0.0.3:8600", "127.0.0.4:8600", "127.0.0.3:8529", "127.0.0.4:8529")) {
      assertTrue(
          all.stream().anyMatch(finding -> finding.text().contains(other + " answers")),
          all::toString);
    }
    assertEquals(5 + 4 + 4, all.size(), all::toString);
  }

  @Test
  void theCertificateIsLookedAt() throws IOException {
    says(Verdict.WRONG, "member-cert.pem", HostCheck::certificate); // nothing is in /etc/alrai
    Path host = directory.resolve("127.0.0.2");
    Path file = host.resolve("here.properties");
    PrivateFiles.write(
        file,
        Files.readString(host.resolve(NodeFiles.CONFIG)).replace("/etc/alrai", host.toString()));
    node = NodeConfig.read(file, RoleFile.read(file));
    says(Verdict.GOOD, "(CN=node-1) ends at ", HostCheck::certificate);
    new ClusterAuthority(directory).renew(7);
    says(Verdict.DOUBTFUL, "which is soon: alrai cert renew", HostCheck::certificate);
  }

  @Test
  void portsThatAreTakenAndAddressesOfOthers() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress at = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
      says(Verdict.WRONG, "the port is taken", check -> check.port(at));
      says(Verdict.GOOD, "127.0.0.1:" + at.getPort() + " answers", check -> check.way(at));
    }
    says(
        Verdict.WRONG,
        "the address is none of this machine's",
        check -> check.port(new InetSocketAddress("192.0.2.1", 8527)));
    InetSocketAddress nobody = InetSocketAddress.createUnresolved("no-host.invalid", 8527);
    says(Verdict.WRONG, "nobody knows the address of no-host", check -> check.port(nobody));
    says(Verdict.WRONG, "nobody knows the address of no-host", check -> check.way(nobody));
  }

  @Test
  void aNameThatIsTheMachinesOwnOnly() throws IOException {
    HostCheck alone = new HostCheck(node);
    alone.reachable();
    assertEquals(List.of(), alone.findings(), "all are on this machine");
    Path other = directory.resolve("other");
    Topology topology = Topology.of("hosts: [{host: 192.0.2.1}, {host: localhost}]");
    Path file = new NodeFiles(topology).write(other).get(1).resolve(NodeFiles.CONFIG);
    node = NodeConfig.read(file, RoleFile.read(file));
    says(Verdict.WRONG, "others cannot reach it: see /etc/hosts", HostCheck::reachable);
  }

  @Test
  void limitsAndMemory() {
    String limits = "Limit  Soft Limit  Hard\nMax open files            %s    4096   files\n";
    says(
        Verdict.WRONG,
        "only 1024 files",
        check -> check.openFiles(Optional.of(limits.formatted("1024"))));
    says(Verdict.GOOD, "8192", check -> check.openFiles(Optional.of(limits.formatted("8192"))));
    says(
        Verdict.GOOD,
        "unlimited",
        check -> check.openFiles(Optional.of(limits.formatted("unlimited"))));
    says(Verdict.DOUBTFUL, "cannot be found out", check -> check.openFiles(Optional.empty()));
    says(
        Verdict.DOUBTFUL,
        "only 1000 MiB",
        check -> check.memory(Optional.of("MemFree: 1 kB\nMemAvailable:  1024000 kB\n")));
    says(
        Verdict.GOOD,
        "4000 MiB",
        check -> check.memory(Optional.of("MemAvailable:  4096000 kB\n")));
    says(Verdict.DOUBTFUL, "cannot be found out", check -> check.memory(Optional.empty()));
  }

  @Test
  void theClock() {
    says(Verdict.GOOD, "kept right by", check -> check.clock(List.of("echo", "yes")));
    says(Verdict.DOUBTFUL, "no time service", check -> check.clock(List.of("echo", "no")));
    says(Verdict.DOUBTFUL, "does not say", check -> check.clock(List.of("true")));
    says(Verdict.DOUBTFUL, "cannot be found out", check -> check.clock(List.of("/no/such/tool")));
  }
}
