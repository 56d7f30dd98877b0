package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
  private static final String NAME = "alrai";

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--dns",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "DNs, that is mysqlds, of a new cluster (default: ${DEFAULT-VALUE}); one that exists keeps"
              + " its number.")
  private int dns = 2;

  @Option(
      names = "--port",
      defaultValue = "8527",
      description = "Port of the endpoint (default: ${DEFAULT-VALUE}).")
  private int port = ClusterConfig.DEFAULT_PORT;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--detach",
      description = "Go on in the background, return when the endpoint serves.")
  private boolean detach;

  @Override
  public Integer call() throws InterruptedException {
    Path directory = data.path();
    RunDirectory run = new RunDirectory(directory);
    run.process(NAME)
        .ifPresent(process -> {
          throw new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "a cluster with this data directory runs already: process " + process.pid());
        });
    if (detach) {
      Detached.start(
          directory,
          NAME,
          "up",
          "--dns",
          Integer.toString(dns),
          "--port",
          Integer.toString(port),
          "--host",
          host,
          "--data",
          directory.toString());
      return 0;
    }
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(() -> {
                  stop.countDown();
                  awaitQuietly(stopped);
                }));
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new ClusterConfig(directory, host, port, dns, 0), new ConsoleProgress(System.err))) {
      run.enter(NAME);
      String url = "mysql://root@" + host + ":" + cluster.port() + "/";
      run.endpoint(url);
      System.out.println("ready " + url);
      System.out.flush();
      stop.await();
    } finally {
      run.leave(NAME);
      stopped.countDown();
    }
    return 0;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
