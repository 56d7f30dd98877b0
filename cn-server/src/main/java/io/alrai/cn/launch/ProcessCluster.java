package io.alrai.cn.launch;

import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.config.Limits;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.process.Closers;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.EventLoops;
import io.alrai.cn.process.Service;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster with every role as a process of its own: GMS nodes, an agent for each mysqld, where DNs
 * have replicas a logger, column nodes, CNs on ports P, P+1, ... Their configurations are in {@code
 * DIR/etc}, kept for the next start. A role that ends is started again. When this process is killed
 * the roles go on; the next start ends them first.
 */
public final class ProcessCluster {
  private static final Logger log = LoggerFactory.getLogger(ProcessCluster.class);

  private final Path directory;
  private final String host;
  private final int port;
  private final int dns;
  private final int replicas;
  private final int newGmsNodes;
  private final int cns;
  private final int columnars;
  private final int metrics;
  private final TimestampMode timestamps;
  private final EndpointChoice endpoint;
  private final Optional<MemberTls.Mode> memberTls;

  /**
   * A cluster.
   *
   * @param cluster its directory, the first endpoint, the DNs of a new one, the first port for
   *     metrics
   * @param gmsNodes of a new cluster: 1 or 3
   * @param columnars column nodes; without them each CN keeps the column indexes for itself
   */
  public ProcessCluster(ClusterConfig cluster, int gmsNodes, int cns, int columnars) {
    this.directory = cluster.data();
    this.host = cluster.host();
    this.port = cluster.port();
    this.dns = cluster.dns();
    this.replicas = cluster.replicas();
    this.metrics = cluster.metricsPort();
    this.timestamps = cluster.timestamps();
    this.endpoint = cluster.endpoint().onLoops(EventLoops.countBesideMysqlds());
    this.memberTls = cluster.memberTls();
    this.newGmsNodes = gmsNodes;
    this.cns = cns;
    this.columnars = columnars;
  }

  /** Starts all and returns when they serve. */
  public Service.Started start() throws InterruptedException, IOException {
    Closers parts = new Closers();
    boolean started = false;
    try {
      // what is wrong with it is said before anything runs
      EndpointTls.open(endpoint.tls(), directory).ifPresent(EndpointTls::close);
      Leftovers.clear(directory);
      List<RoleConfig> gmsRoles =
          GmsRoles.of(directory, newGmsNodes).stream()
              .map(role -> memberTls.map(role::withMemberTls).orElse(role))
              .toList();
      RoleConfig gms = gmsRoles.getFirst();
      DnRoles roles = DnRoles.of(directory, gms, dns, replicas);
      List<RoleConfig> agents = numbered(roles.agents(), cns);
      List<RoleConfig> endpoints = new ArrayList<>();
      for (int i = 1; i <= cns; i++) {
        RoleConfig cn = role(gms, "cn-" + i, new InetSocketAddress(host, port + i - 1));
        endpoints.add(
            cn.withMetricsPort(metricsPort(i))
                .withTimestamps(timestamps)
                .withEndpoint(endpoint)
                .withColumnsMegabytes(columnars > 0 ? 0 : Limits.columnsMegabytes() / cns));
      }
      RoleGroup catalog = group(parts, "gms", numbered(gmsRoles, cns + agents.size() + columnars));
      if (OneProcess.is(directory)) {
        log.info("{} had a cluster in one process: it is one of processes from now on", directory);
        OneProcess.move(directory);
      }
      catalog.startMajority();
      // groups work without one of their members; what that is refused for is in the log
      RoleGroup loggers =
          group(
              parts,
              "logger",
              numbered(roles.loggers(), cns + agents.size() + columnars + gmsRoles.size()));
      boolean loggersServe = loggers.startAtLeast(0);
      RoleGroup ofAll = group(parts, "dn", agents);
      // a group that was one replica once has no majority without them
      parts.add(new AddedMembers(directory, catalog, List.of(loggers, ofAll)).start());
      for (List<String> ofOneDn : DnRoles.byDn(agents)) {
        RoleGroup ofDn = ofAll.only(ofOneDn);
        int enough = roles.enough(ofOneDn);
        if (loggersServe) {
          ofDn.startAtLeast(enough);
        } else {
          ofDn.startTogether(enough); // each waits for a majority
        }
      }
      run(parts, "columnar", columnNodes(gms, cns + agents.size()));
      run(parts, "cn", endpoints);
      started = true;
      return new Service.Started("ready mysql://root@" + host + ":" + port + "/", parts);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private List<RoleConfig> columnNodes(RoleConfig gms, int rolesBefore) throws IOException {
    List<RoleConfig> nodes = new ArrayList<>();
    for (int i = 1; i <= columnars; i++) {
      nodes.add(
          role(gms, "columnar-" + i, new InetSocketAddress("127.0.0.1", ListenPorts.free()))
              .withMetricsPort(metricsPort(rolesBefore + i))
              .withColumnsMegabytes(Limits.columnsMegabytes() / columnars));
    }
    return nodes;
  }

  private List<RoleConfig> numbered(List<RoleConfig> roles, int rolesBefore) {
    List<RoleConfig> numbered = new ArrayList<>();
    for (RoleConfig role : roles) {
      numbered.add(role.withMetricsPort(metricsPort(rolesBefore + numbered.size() + 1)));
    }
    return numbered;
  }

  /** The CNs' come first, then those of the DNs, column nodes, GMS nodes and loggers. */
  private int metricsPort(int number) {
    return metrics == 0 ? 0 : metrics + number - 1;
  }

  private Path config(String node) {
    return configOf(directory, node);
  }

  /** The configuration of a role in a cluster's directory. */
  static Path configOf(Path directory, String node) {
    return directory.resolve("etc").resolve(node + ".properties");
  }

  private RoleConfig role(RoleConfig gms, String name, InetSocketAddress fresh) {
    return RoleConfig.usual(name, directory, fresh, gms.gms(), gms.secret());
  }

  private void run(Closers parts, String command, List<RoleConfig> roles)
      throws InterruptedException, IOException {
    group(parts, command, roles).start();
  }

  private RoleGroup group(Closers parts, String command, List<RoleConfig> roles)
      throws IOException {
    for (RoleConfig role : roles) {
      PrivateFiles.write(config(role.node()), role.text());
    }
    return parts.add(
        new RoleGroup(
            roles.stream()
                .map(role -> KeptRole.of(directory, role.node(), command, config(role.node())))
                .toList()));
  }
}
