package io.alrai.cn.console;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.node.NodeProcess;
import io.alrai.cn.process.CnProcess;
import io.alrai.cn.process.ColumnarProcess;
import io.alrai.cn.process.DnProcess;
import io.alrai.cn.process.GmsProcess;
import io.alrai.cn.process.LoggerProcess;
import io.alrai.cn.process.Service;
import io.alrai.common.id.NodeId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The roles as processes of their own: what runs in production. */
final class RoleCommands {
  private RoleCommands() {}

  /** A role with its file. */
  private abstract static class Configured implements Callable<Integer> {
    @Option(names = "--config", required = true, description = "The role's properties file.")
    private Path config = Path.of("role.properties");

    @Mixin private MetricsOption metrics = new MetricsOption();

    /** The file. */
    final Path file() {
      return config;
    }

    /** How many mysqlds it will make. */
    int newMysqlds(RoleConfig role) {
      return 0;
    }

    /** Starts it. */
    abstract Service.Started start(RoleConfig role) throws InterruptedException;

    @Override
    public final Integer call() throws Exception {
      RoleConfig role = metrics.in(RoleFile.read(config));
      DataDirectory.require(role.data(), newMysqlds(role));
      return new Service(role.data(), role.node()).serve(() -> start(role));
    }
  }

  /** {@code alrai gms}. */
  @Command(
      name = "gms",
      mixinStandardHelpOptions = true,
      description = "Runs a node of the GMS: catalog and cluster state.")
  static final class Gms extends Configured {
    @Override
    Service.Started start(RoleConfig role) {
      return new GmsProcess(role).start();
    }
  }

  /** {@code alrai dn}. */
  @Command(
      name = "dn",
      mixinStandardHelpOptions = true,
      description = "Runs a DN: an agent and its mysqld.")
  static final class Dn extends Configured {
    @Override
    int newMysqlds(RoleConfig role) {
      return Files.exists(role.data().resolve(role.node())) ? 0 : 1;
    }

    @Override
    Service.Started start(RoleConfig role) throws InterruptedException {
      return new DnProcess(role).start();
    }
  }

  /** {@code alrai node}. */
  @Command(
      name = "node",
      mixinStandardHelpOptions = true,
      description =
          "Runs all that one machine has of a cluster in one process: a CN, an agent with its"
              + " mysqld, and, where the file says so, a node of the GMS and a column node.")
  static final class Node extends Configured {
    @Override
    int newMysqlds(RoleConfig role) {
      return Files.exists(role.data().resolve(NodeConfig.read(file(), role).agent().name()))
          ? 0
          : 1;
    }

    @Override
    Service.Started start(RoleConfig role) throws InterruptedException {
      return new NodeProcess(NodeConfig.read(file(), role)).start();
    }
  }

  /** {@code alrai logger}. */
  @Command(
      name = "logger",
      mixinStandardHelpOptions = true,
      description = "Keeps the logs of DNs' groups, and votes, without a mysqld.")
  static final class Logger extends Configured {
    @Override
    Service.Started start(RoleConfig role) {
      return new LoggerProcess(role).start();
    }
  }

  /** {@code alrai columnar}. */
  @Command(
      name = "columnar",
      mixinStandardHelpOptions = true,
      description =
          "Runs a column node: keeps column indexes and runs analytical statements of all CNs.")
  static final class Columnar extends Configured {
    @Override
    Service.Started start(RoleConfig role) throws InterruptedException {
      return new ColumnarProcess(role, new NodeId(role.node())).start();
    }
  }

  /** {@code alrai cn}. */
  @Command(
      name = "cn",
      mixinStandardHelpOptions = true,
      description = "Runs a CN: an endpoint for clients.")
  static final class Cn extends Configured {
    @Override
    Service.Started start(RoleConfig role) throws InterruptedException {
      return new CnProcess(role, new NodeId(role.node())).start();
    }
  }
}
