package io.alrai.cn.console;

import io.alrai.cn.launch.Detached;
import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.EventLoops;
import io.alrai.cn.process.Service;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.TcpEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code alrai mysqld}: one plain mysqld, to compare with. */
@Command(
    name = "mysqld",
    mixinStandardHelpOptions = true,
    description =
        "Runs one plain mysqld with the settings of a DN, reachable as root without password:"
            + " what ratios are taken against.")
final class MysqldCommand implements Callable<Integer> {
  private static final String NAME = "mysqld";

  @Mixin private DataOption data = new DataOption();

  @Option(names = "--port", defaultValue = "3306", description = "Port on 127.0.0.1.")
  private int port = 3306;

  @Option(names = "--tls", description = "With TLS, by certificates that it makes itself.")
  private boolean tls;

  @Option(
      names = "--option",
      paramLabel = "NAME=VALUE",
      description = "One more option of the server, which wins over all others; any number.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(names = "--detach", description = "Go on in the background.")
  private boolean detach;

  @Override
  public Integer call() throws Exception {
    Path directory = data.path();
    DataDirectory.require(directory, Files.exists(directory.resolve(NAME)) ? 0 : 1);
    if (detach) {
      List<String> again = new ArrayList<>();
      again.addAll(List.of("mysqld", "--port", Integer.toString(port)));
      again.addAll(List.of("--data", directory.toString()));
      if (tls) {
        again.add("--tls");
      }
      options.forEach((name, value) -> again.addAll(List.of("--option", name + "=" + value)));
      System.out.println(Detached.launch(directory, NAME, again).awaitReady());
      return 0;
    }
    return new Service(directory, NAME).serve(() -> start(directory));
  }

  private Service.Started start(Path directory) throws IOException {
    EventLoops.requireMachine();
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    ConsoleProgress progress = new ConsoleProgress(System.err);
    MysqlInstallation installation = MysqlInstallations.find(search, progress);
    Path init = directory.resolve("root.sql");
    Files.createDirectories(directory);
    Files.writeString(
        init,
        "CREATE USER IF NOT EXISTS 'root'@'127.0.0.1' IDENTIFIED BY '';\n"
            + "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;\n");
    MysqldConfig config =
        MysqldConfig.of(directory.resolve("mysqld"), 1)
            .withMemory(MysqldMemory.shareOfThisMachine(1))
            .withTcp(TcpEndpoint.loopback(port))
            .withOption("init_file", init.toString());
    if (tls) {
      config =
          config
              .withOption("auto_generate_certs", "ON")
              .withOption("tls_version", "TLSv1.2,TLSv1.3");
    }
    for (Map.Entry<String, String> option : options.entrySet()) {
      config = config.withOption(option.getKey(), option.getValue());
    }
    MysqldInstance instance =
        MysqldInstance.create(
            new DataDirectoryTemplate(installation, search.cacheDirectory(), progress), config);
    MysqldSupervisor supervisor = new MysqldSupervisor(instance, MysqldListener.none());
    supervisor.start();
    return new Service.Started("ready mysql://root@127.0.0.1:" + port + "/", supervisor);
  }
}
