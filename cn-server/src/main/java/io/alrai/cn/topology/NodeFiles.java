package io.alrai.cn.topology;

import io.alrai.cn.config.RoleFile;
import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.systemd.UnitFile;
import io.alrai.cn.topology.Topology.Host;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The files of a topology's machines: a directory for each host, with the file of its node and a
 * unit of systemd's, with TLS a certificate. Numbers are those of hosts, from 1. With three
 * replicas three hosts in turn have one DN. The first three have the GMS; the only one, where there
 * are fewer. Blocking.
 */
public final class NodeFiles {
  /** The file that a node is started with; for its owner alone, as it has the secret. */
  public static final String CONFIG = "node.properties";

  /** Where the unit expects it. */
  public static final String INSTALLED = "/etc/alrai/" + CONFIG;

  private static final String INSTALLED_IN = "/etc/alrai/";

  private static final String SECRET = "secret";
  private static final int MEMBERS = 3;
  private static final List<String> LETTERS = List.of("a", "b", "c");

  private final Topology topology;
  private final Topology.Ports ports;

  /** The files of a topology. */
  public NodeFiles(Topology topology) {
    this.topology = topology;
    this.ports = topology.ports();
  }

  /**
   * Writes them. A secret that is in the directory from before is kept, and so are files of hosts
   * that say the same.
   *
   * @return the directories of the hosts that are new, in their order
   * @throws AlraiException with a sentence that says what is in the way; where a host's file says
   *     something else, nothing is written
   */
  public List<Path> write(Path directory) {
    try {
      Files.createDirectories(directory);
      ClusterAuthority authority = new ClusterAuthority(directory);
      boolean tls =
          topology.tls().orElse(authority.exists() || Files.notExists(directory.resolve(SECRET)));
      String secret = secret(directory.resolve(SECRET));
      List<Integer> fresh = fresh(directory, secret, tls);
      if (tls) {
        authority.make();
      }
      List<Path> made = new ArrayList<>();
      for (int host : fresh) {
        Path own = directory(directory, host);
        PrivateFiles.directory(own);
        Path file = own.resolve(CONFIG);
        PrivateFiles.write(file, config(host, secret, tls));
        var _ = NodeConfig.read(file, RoleFile.read(file)); // what is wrong is said now
        UnitFile unit =
            UnitFile.node(topology.user(), topology.hosts().get(host).data(), topology.home());
        Files.writeString(own.resolve(unit.name()), unit.text());
        if (tls) {
          authority.issue(own, node(host), ClusterAuthority.DAYS);
        }
        made.add(own);
      }
      return made;
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_WRITE,
          "the files cannot be written to " + directory + ": " + FileErrors.text(e),
          e);
    }
  }

  private Path directory(Path all, int host) {
    return all.resolve(topology.hosts().get(host).host());
  }

  /** Hosts without a file. */
  private List<Integer> fresh(Path directory, String secret, boolean tls) throws IOException {
    List<Integer> fresh = new ArrayList<>();
    for (int host = 0; host < topology.hosts().size(); host++) {
      Path file = directory(directory, host).resolve(CONFIG);
      if (!Files.exists(file)) {
        fresh.add(host);
      } else if (!Files.readString(file).equals(config(host, secret, tls))) {
        throw Topology.wrong(
            file
                + " is there already, and says something else: hosts are added at the end, and from"
                + " three on, and tls is as it was; move it away to have it made anew");
      }
    }
    return fresh;
  }

  private static String secret(Path file) throws IOException {
    if (Files.exists(file)) {
      PrivateFiles.close(file);
      return Files.readString(file).strip();
    }
    String fresh = ClusterSecret.fresh();
    PrivateFiles.write(file, fresh + "\n");
    return fresh;
  }

  private int gmsNodes() {
    return topology.hosts().size() < MEMBERS ? 1 : MEMBERS;
  }

  private String at(int host, int port) {
    return topology.hosts().get(host).host() + ":" + port;
  }

  private static String node(int index) {
    return "node-" + (index + 1);
  }

  private String config(int index, String secret, boolean tls) {
    Host host = topology.hosts().get(index);
    int number = index + 1;
    List<String> lines = new ArrayList<>();
    lines.add("node = " + node(index));
    lines.add("data = " + host.data());
    lines.add("listen = " + at(index, ports.clients()));
    lines.add(
        "gms = "
            + IntStream.range(0, gmsNodes())
                .mapToObj(i -> "gms-" + (i + 1) + "@" + at(i, ports.gms()))
                .collect(Collectors.joining(",")));
    lines.add("secret = " + secret);
    if (tls) {
      lines.add("member.cert = " + INSTALLED_IN + ClusterAuthority.CERTIFICATE);
      lines.add("member.key = " + INSTALLED_IN + ClusterAuthority.KEY);
      lines.add("member.ca = " + INSTALLED_IN + ClusterAuthority.AUTHORITY);
    }
    lines.add("metrics.port = " + ports.metrics());
    if (!host.zone().isEmpty()) {
      lines.add("zone = " + host.zone());
    }
    lines.add("cn = cn-" + number);
    lines.add("dn = " + agent(index));
    lines.add("dn.listen = " + at(index, ports.dn()));
    if (topology.replicas() > 1) {
      int first = index - index % MEMBERS;
      lines.add(
          "group."
              + dn(index)
              + " = "
              + IntStream.range(first, first + MEMBERS)
                  .mapToObj(i -> agent(i) + "@" + at(i, ports.group()) + "/rows")
                  .collect(Collectors.joining(",")));
    }
    if (number <= gmsNodes()) {
      lines.add("gms.node = gms-" + number);
    }
    if (host.columnar()) {
      lines.add("columnar = columnar-" + number);
      lines.add("columnar.listen = " + at(index, ports.columnar()));
    }
    return String.join("\n", lines) + "\n";
  }

  private String dn(int index) {
    return "dn-" + (index / topology.replicas() + 1);
  }

  private String agent(int index) {
    return topology.replicas() == 1 ? dn(index) : dn(index) + "-" + LETTERS.get(index % MEMBERS);
  }
}
