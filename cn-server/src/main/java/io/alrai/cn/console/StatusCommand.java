package io.alrai.cn.console;

import io.alrai.cn.process.RunDirectory;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code alrai status}: what runs on a data directory. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Says what runs on a data directory; exit code 3 when nothing does.")
final class StatusCommand implements Callable<Integer> {
  private static final int NOTHING_RUNS = 3;

  @Mixin private DataOption data = new DataOption();

  @Override
  public Integer call() {
    RunDirectory run = new RunDirectory(data.path());
    boolean any = false;
    for (String name : run.names()) {
      Optional<ProcessHandle> process = run.process(name);
      System.out.println(
          name + " " + process.map(found -> "runs, process " + found.pid()).orElse("is gone"));
      any |= process.isPresent();
    }
    if (!any) {
      System.out.println("nothing runs on " + data.path());
      return NOTHING_RUNS;
    }
    run.endpoint().ifPresent(url -> System.out.println("serves " + url));
    return 0;
  }
}
