package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code alrai down}: stops what runs on a data directory. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = "Stops the cluster of a data directory in order; returns when all is gone.")
final class DownCommand implements Callable<Integer> {
  private static final long STOP_SECONDS = 90;

  @Mixin private DataOption data = new DataOption();

  @Override
  public Integer call() throws InterruptedException {
    RunDirectory run = new RunDirectory(data.path());
    int stopped = 0;
    for (String name : run.names()) {
      Optional<ProcessHandle> process = run.process(name);
      if (process.isPresent()) {
        stop(name, process.get());
        stopped++;
      }
      run.leave(name);
    }
    System.out.println(stopped == 0 ? "nothing runs on " + data.path() : "stopped");
    return 0;
  }

  private static void stop(String name, ProcessHandle process) throws InterruptedException {
    process.destroy();
    try {
      process.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          name + " (process " + process.pid() + ") does not stop",
          e);
    } catch (ExecutionException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "cannot wait for process " + process.pid(), e);
    }
  }
}
