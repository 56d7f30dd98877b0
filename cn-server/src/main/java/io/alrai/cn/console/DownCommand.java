package io.alrai.cn.console;

import java.util.Optional;
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
    int stopped = 0;
    for (String name : run.names()) {
      Optional<ProcessHandle> process = run.process(name);
      if (process.isPresent()) {
        OrderedStop.of(name, process.get());
        stopped++;
      }
      run.leave(name);
    }
    System.out.println(stopped == 0 ? "nothing runs on " + data.path() : "stopped");
    return 0;
  }
}
