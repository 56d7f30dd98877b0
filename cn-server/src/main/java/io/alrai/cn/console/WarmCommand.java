package io.alrai.cn.console;

import io.alrai.cn.launch.RolesInOneJvm;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.common.jdbc.MysqlEndpoint;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code alrai warm}: the work from which a JVM learns what Alrai needs. What is kept of it is the
 * launcher's matter: it runs this under {@code -XX:AOTMode=record} (JEP 483, JEP 515).
 */
@Command(
    name = "warm",
    mixinStandardHelpOptions = true,
    description =
        "Makes the cache with which Alrai's JVMs start fast: runs clusters in a temporary directory"
            + " and keeps their classes and profiles. up --processes does that once for each build;"
            + " ALRAI_WARM=no does without.")
final class WarmCommand implements Callable<Integer> {
  private static final int DNS = 2;
  private static final int CLIENTS = 6;

  private static final Duration CHANGING = Duration.ofSeconds(4);

  /** Several times what it takes: whoever waits for it goes on without. */
  private static final long BOUND_SECONDS = 180;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "6",
      description = "How long each kind of cluster works (default: ${DEFAULT-VALUE}).")
  private int seconds = 6;

  @Override
  public Integer call() throws Exception {
    CompletableFuture.delayedExecutor(BOUND_SECONDS, TimeUnit.SECONDS)
        .execute(() -> Runtime.getRuntime().halt(1));
    TrainingLoad.Outcome outcome;
    int changes;
    try (ScratchDirectory scratch = ScratchDirectory.create("alrai-warm-");
        ExecutorService closing = Executors.newSingleThreadExecutor()) {
      DataDirectory.require(scratch.path(), 2 * DNS + 1);
      EmbeddedCluster one =
          EmbeddedCluster.start(
              new ClusterConfig(scratch.path().resolve("one"), "127.0.0.1", 0, DNS),
              new ConsoleProgress(System.err));
      try {
        outcome = work(load("mysql://root@127.0.0.1:" + one.port()));
      } finally {
        // mysqlds take seconds to stop and leave the machine to the others meanwhile
        closing.execute(one::close);
      }
      try (RolesInOneJvm roles = RolesInOneJvm.start(scratch.path().resolve("roles"), DNS)) {
        TrainingLoad load = load(roles.server());
        outcome = outcome.and(work(load));
        changes = changeLeaders(roles, load);
      }
    }
    System.out.println(outcome.text() + ", " + changes + " changes of leaders");
    return outcome.wasWork() ? 0 : 1;
  }

  private static TrainingLoad load(String server) {
    return new TrainingLoad(MysqlEndpoint.parse(server + "/warm", "warm"), DNS);
  }

  private TrainingLoad.Outcome work(TrainingLoad load) throws Exception {
    load.create();
    return load.run(CLIENTS, Duration.ofSeconds(seconds));
  }

  /**
   * A process does it seldom, and others wait for it: without this each one's first time is slow.
   *
   * @return how often the leader was another one after it
   */
  private static int changeLeaders(RolesInOneJvm roles, TrainingLoad load) throws Exception {
    try (LeaderTurns turns = LeaderTurns.begin(roles.server(), roles.members())) {
      try {
        load.run(CLIENTS, CHANGING);
      } catch (ExecutionException lost) { // a client's connection: what was learned is enough
        System.err.println(lost.getMessage());
      }
      return turns.changes();
    }
  }
}
