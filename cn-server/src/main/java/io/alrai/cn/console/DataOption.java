package io.alrai.cn.console;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a cluster keeps everything. */
final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "Directory of the cluster's data, logs and pids (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("data");

  Path path() {
    return data.toAbsolutePath().normalize();
  }
}
