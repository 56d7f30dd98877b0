package io.alrai.cn.console;

import io.alrai.cn.config.RoleConfig;
import picocli.CommandLine.Option;

/** {@code --metrics-port} of a role. */
final class MetricsOption {
  @Option(
      names = "--metrics-port",
      paramLabel = "P",
      defaultValue = "-1",
      description =
          "Serve metrics to Prometheus at this port (default: metrics.port of the file; 0 for"
              + " none).")
  private int port = -1;

  /** The role with the port that was asked for. */
  RoleConfig in(RoleConfig role) {
    return port < 0 ? role : role.withMetricsPort(port);
  }
}
