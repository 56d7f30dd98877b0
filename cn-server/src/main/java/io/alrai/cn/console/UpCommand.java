package io.alrai.cn.console;

import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.launch.Detached;
import io.alrai.cn.launch.GmsRoles;
import io.alrai.cn.launch.NodeCluster;
import io.alrai.cn.launch.NodeRoles;
import io.alrai.cn.launch.OneProcess;
import io.alrai.cn.launch.ProcessCluster;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.cn.process.Service;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.MemberTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code alrai up}: serves until it is stopped. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description =
        "Starts a cluster in one process, with a mysqld for each DN, and serves until stopped."
            + " Data stays in the directory.")
final class UpCommand implements Callable<Integer> {
  static final String NAME = "alrai";

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--dns",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "DNs of a new cluster, each with a mysqld, or two with --replicas 3 (default:"
              + " ${DEFAULT-VALUE}); one that exists keeps its number.")
  private int dns = 2;

  @Option(
      names = "--port",
      defaultValue = "8527",
      description = "Port of the endpoint (default: ${DEFAULT-VALUE}).")
  private int port = ClusterConfig.DEFAULT_PORT;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on (default: ${DEFAULT-VALUE}). Without a password root is let in from"
              + " this machine only; a new cluster's root gets that of ALRAI_ROOT_PASSWORD in the"
              + " environment.")
  private String host = "127.0.0.1";

  @Option(
      names = "--detach",
      description = "Go on in the background, return when the endpoint serves.")
  private boolean detach;

  @Option(
      names = "--processes",
      description =
          "Every role as a process of its own: the GMS, CNs on ports P, P+1, ..., an agent for each"
              + " mysqld, loggers, column nodes; pids in DIR/run/NAME.pid.")
  private boolean processes;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "A new cluster of N nodes, each a process as on a machine of its own: a CN on port P, P+1,"
              + " ..., and a DN; with --replicas 3 three nodes are the members of one DN. The first"
              + " three have the GMS, the only one where there are fewer; one that exists keeps its"
              + " number.")
  private int nodes;

  @Option(
      names = "--gms",
      paramLabel = "1|3",
      defaultValue = "1",
      description =
          "GMS nodes of a new cluster with --processes (default: ${DEFAULT-VALUE}): of three any one"
              + " may be lost; one that exists keeps its nodes: member add and ALTER SYSTEM change them.")
  private int gmsNodes = 1;

  @Option(
      names = "--cns",
      paramLabel = "N",
      defaultValue = "1",
      description = "CNs with --processes (default: ${DEFAULT-VALUE}).")
  private int cns = 1;

  @Option(
      names = "--replicas",
      paramLabel = "1|3",
      defaultValue = "1",
      description =
          "Members of each DN of a new cluster with --processes: 1, or 3, which are two agents with"
              + " a mysqld each and a logger, or with --nodes three agents; then a DN survives the"
              + " loss of any one of them (default: ${DEFAULT-VALUE}).")
  private int replicas = 1;

  @Option(
      names = "--columnars",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Column nodes with --processes or in the first of new --nodes, which keep the column"
              + " indexes and run analytical statements over them (default: ${DEFAULT-VALUE}: each"
              + " CN does so itself).")
  private int columnars;

  @Option(
      names = "--metrics-port",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Serve metrics to Prometheus at http://HOST:P/metrics; with --processes, CNs, then DNs,"
              + " column nodes, GMS nodes and loggers take P, P+1, ..., as do --nodes. Off by"
              + " default.")
  private int metricsPort;

  @Option(
      names = "--timestamp-source",
      paramLabel = "HLC|TSO",
      defaultValue = "HLC",
      description =
          "Where snapshots and commits over several DNs take their timestamps from: every node's"
              + " own hybrid logical clock, or the leader of the GMS (default: ${DEFAULT-VALUE}).")
  private String timestampSource = "HLC";

  @Option(
      names = "--member-tls",
      paramLabel = "no|accept|prefer|require",
      defaultValue = "",
      description =
          "Whether the roles of --processes or --nodes speak TLS with each other, in the steps by"
              + " which a running cluster comes to it; a cluster keeps what it was started with"
              + " (at first: no).")
  private String memberTls = "";

  @Mixin private EndpointOptions endpoint = new EndpointOptions();

  @Override
  public Integer call() throws Exception {
    Path directory = data.path();
    TimestampMode timestamps = TimestampMode.of(timestampSource);
    EndpointChoice chosen = endpoint.choice();
    Optional<MemberTls.Mode> between =
        memberTls.isEmpty() ? Optional.empty() : Optional.of(MemberTls.mode(memberTls));
    refuseOtherKind(directory);
    refuseNumbers();
    DataDirectory.require(directory, newMysqlds(directory));
    Service service = new Service(directory, NAME);
    if (detach) {
      service.refuseSecond();
      List<String> again = new ArrayList<>();
      again.addAll(List.of("up", "--dns", Integer.toString(dns)));
      again.addAll(List.of("--port", Integer.toString(port), "--host", host));
      again.addAll(List.of("--data", directory.toString()));
      again.addAll(List.of("--timestamp-source", timestamps.name()));
      again.addAll(List.of("--metrics-port", Integer.toString(metricsPort)));
      again.addAll(EndpointOptions.of(chosen));
      between.ifPresent(mode -> again.addAll(List.of("--member-tls", mode.text())));
      if (processes) {
        again.addAll(List.of("--processes", "--cns", Integer.toString(cns)));
        again.addAll(List.of("--columnars", Integer.toString(columnars)));
        again.addAll(List.of("--replicas", Integer.toString(replicas)));
        again.addAll(List.of("--gms", Integer.toString(gmsNodes)));
      }
      if (nodes > 0) {
        again.addAll(List.of("--nodes", Integer.toString(nodes)));
        again.addAll(List.of("--columnars", Integer.toString(columnars)));
        again.addAll(List.of("--replicas", Integer.toString(replicas)));
      }
      System.out.println(Detached.launch(directory, NAME, again).awaitReady());
      return 0;
    }
    ClusterConfig config =
        new ClusterConfig(
            directory, host, port, dns, replicas, metricsPort, timestamps, chosen, between);
    if (processes) {
      return service.serve(() -> new ProcessCluster(config, gmsNodes, cns, columnars).start());
    }
    if (nodes > 0) {
      return service.serve(() -> new NodeCluster(config, nodes, columnars).start());
    }
    return service.serve(() -> {
      EmbeddedCluster cluster = EmbeddedCluster.start(config, new ConsoleProgress(System.err));
      return new Service.Started(
          "ready mysql://root@" + host + ":" + cluster.port() + "/", cluster);
    });
  }

  private int newMysqlds(Path directory) {
    boolean known =
        Files.exists(directory.resolve("dn-1")) || Files.exists(directory.resolve("dn-1-a"));
    if (known) {
      return 0;
    }
    return nodes > 0 ? nodes : replicas == 1 ? dns : 2 * dns;
  }

  private void refuseNumbers() {
    if (nodes < 0 || nodes > 0 && processes) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          processes ? "--nodes and --processes are two ways: say one" : "--nodes wants 1 or more");
    }
    if (nodes > 0 && replicas == 3 && nodes % 3 != 0) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--nodes wants 3, 6, ... with --replicas 3, not "
              + nodes
              + ": three nodes are the members of one DN");
    }
    if (columnars < 0 || nodes > 0 && columnars > nodes) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--columnars wants "
              + (nodes > 0 ? "at most one for each node, " + nodes : "0 or more")
              + ", not "
              + columnars);
    }
    if (gmsNodes != 1 && gmsNodes != 3) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR, "--gms wants 1 or 3, not " + gmsNodes);
    }
    if (gmsNodes > 1 && !processes) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--gms 3 needs --processes: nodes of one process would die together");
    }
    if (replicas != 1 && replicas != 3) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR, "--replicas wants 1 or 3, not " + replicas);
    }
    if (replicas > 1 && !processes && nodes == 0) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--replicas 3 needs --processes or --nodes: members of one process would die together");
    }
  }

  /**
   * The kinds of cluster keep their catalogs in different places: one must not lose it. One in one
   * process may become one of processes, and there is no other change.
   */
  private void refuseOtherKind(Path directory) {
    if (nodes == 0 && NodeRoles.exist(directory)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the cluster in "
              + directory
              + " is one of nodes: start it with --nodes N, or choose another directory with --data");
    }
    if (nodes > 0 && OneProcess.is(directory)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the cluster in "
              + directory
              + " is one in one process: start it without --nodes, or choose another directory with"
              + " --data");
    }
    if (!processes && GmsRoles.exist(directory)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the cluster in "
              + directory
              + " is one of processes: start it with --processes, or choose another directory with"
              + " --data");
    }
  }
}
