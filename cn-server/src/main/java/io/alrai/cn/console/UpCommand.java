package io.alrai.cn.console;

import io.alrai.cn.launch.Detached;
import io.alrai.cn.launch.GmsRoles;
import io.alrai.cn.launch.ProcessCluster;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.cn.process.EndpointChoice;
import io.alrai.cn.process.Service;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
              + " a mysqld each and a logger; then a DN survives the loss of any one of them"
              + " (default: ${DEFAULT-VALUE}).")
  private int replicas = 1;

  @Option(
      names = "--columnars",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Column nodes with --processes, which keep the column indexes and run analytical"
              + " statements over them (default: ${DEFAULT-VALUE}: each CN does so itself).")
  private int columnars;

  @Option(
      names = "--metrics-port",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Serve metrics to Prometheus at http://HOST:P/metrics; with --processes, CNs, then DNs,"
              + " column nodes, GMS nodes and loggers take P, P+1, ... Off by default.")
  private int metricsPort;

  @Option(
      names = "--timestamp-source",
      paramLabel = "HLC|TSO",
      defaultValue = "HLC",
      description =
          "Where snapshots and commits over several DNs take their timestamps from: every node's"
              + " own hybrid logical clock, or the leader of the GMS (default: ${DEFAULT-VALUE}).")
  private String timestampSource = "HLC";

  @Mixin private EndpointOptions endpoint = new EndpointOptions();

  @Override
  public Integer call() throws Exception {
    Path directory = data.path();
    TimestampMode timestamps = TimestampMode.of(timestampSource);
    EndpointChoice chosen = endpoint.choice();
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
      if (processes) {
        again.addAll(List.of("--processes", "--cns", Integer.toString(cns)));
        again.addAll(List.of("--columnars", Integer.toString(columnars)));
        again.addAll(List.of("--replicas", Integer.toString(replicas)));
        again.addAll(List.of("--gms", Integer.toString(gmsNodes)));
      }
      System.out.println(Detached.launch(directory, NAME, again).awaitReady());
      return 0;
    }
    ClusterConfig config =
        new ClusterConfig(directory, host, port, dns, replicas, metricsPort, timestamps, chosen);
    if (processes) {
      return service.serve(() -> new ProcessCluster(config, gmsNodes, cns, columnars).start());
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
    return known ? 0 : replicas == 1 ? dns : 2 * dns;
  }

  private void refuseNumbers() {
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
    if (replicas > 1 && !processes) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--replicas 3 needs --processes: members of one process would die together");
    }
  }

  /**
   * The two kinds of cluster keep their catalogs in different places: one must not lose it. One in
   * one process may become one of processes, and not the other way round.
   */
  private void refuseOtherKind(Path directory) {
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
