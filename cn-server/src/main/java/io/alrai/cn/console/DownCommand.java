package io.alrai.cn.console;

import io.alrai.cn.launch.OrderedStop;
import io.alrai.cn.process.RunDirectory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code alrai down}: stops what runs on a data directory. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = "Stops the cluster of a data directory in order; returns when all is gone.")
final class DownCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();

  @Override
  public Integer call() {
    RunDirectory run = new RunDirectory(data.path());
    int stopped = OrderedStop.all(run, (name, process) -> {});
    run.names().forEach(run::leave);
    System.out.println(stopped == 0 ? "nothing runs on " + data.path() : "stopped");
    return 0;
  }
}
