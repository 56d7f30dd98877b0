package io.alrai.cn.console;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The roles as processes of their own: what runs in production. */
final class RoleCommands {
  private RoleCommands() {}

  /** {@code alrai gms}. */
  @Command(
      name = "gms",
      mixinStandardHelpOptions = true,
      description = "Runs a node of the GMS: catalog and cluster state.")
  static final class Gms implements Callable<Integer> {
    @Option(names = "--config", required = true, description = "The role's properties file.")
    private Path config = Path.of("gms.properties");

    @Override
    public Integer call() throws Exception {
      RoleConfig role = RoleConfig.read(config);
      DataDirectory.require(role.data(), 0);
      return new Service(role.data(), role.node())
          .serve(() -> {
            GmsServer server =
                GmsServer.start(
                    GmsConfig.of(
                        new NodeId(role.node()), role.gms(), role.data().resolve(role.node())));
            return new Service.Started("ready gms " + role.node(), server);
          });
    }
  }

  /** {@code alrai dn}. */
  @Command(
      name = "dn",
      mixinStandardHelpOptions = true,
      description = "Runs a DN: an agent and its mysqld.")
  static final class Dn implements Callable<Integer> {
    @Option(names = "--config", required = true, description = "The role's properties file.")
    private Path config = Path.of("dn.properties");

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Override
    public Integer call() throws Exception {
      RoleConfig role = metrics.in(RoleConfig.read(config));
      DataDirectory.require(role.data(), Files.exists(role.data().resolve(role.node())) ? 0 : 1);
      return new Service(role.data(), role.node())
          .serve(() -> new DnProcess(role, new DnId(role.node())).start());
    }
  }

  /** {@code alrai columnar}. */
  @Command(
      name = "columnar",
      mixinStandardHelpOptions = true,
      description =
          "Runs a column node: keeps column indexes and runs analytical statements of all CNs.")
  static final class Columnar implements Callable<Integer> {
    @Option(names = "--config", required = true, description = "The role's properties file.")
    private Path config = Path.of("columnar.properties");

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Override
    public Integer call() throws Exception {
      RoleConfig role = metrics.in(RoleConfig.read(config));
      DataDirectory.require(role.data(), 0);
      return new Service(role.data(), role.node())
          .serve(() -> new ColumnarProcess(role, new NodeId(role.node())).start());
    }
  }

  /** {@code alrai cn}. */
  @Command(
      name = "cn",
      mixinStandardHelpOptions = true,
      description = "Runs a CN: an endpoint for clients.")
  static final class Cn implements Callable<Integer> {
    @Option(names = "--config", required = true, description = "The role's properties file.")
    private Path config = Path.of("cn.properties");

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Override
    public Integer call() throws Exception {
      RoleConfig role = metrics.in(RoleConfig.read(config));
      DataDirectory.require(role.data(), 0);
      return new Service(role.data(), role.node())
          .serve(() -> new CnProcess(role, new NodeId(role.node())).start());
    }
  }
}
