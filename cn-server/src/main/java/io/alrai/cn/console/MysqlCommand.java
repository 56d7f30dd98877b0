package io.alrai.cn.console;

import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.RunDirectory;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.net.HostPort;
import io.alrai.common.process.ChildProcess;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alrai mysql}: the mysql client on the endpoint. */
@Command(
    name = "mysql",
    mixinStandardHelpOptions = true,
    description = "Opens a mysql client on the cluster of a data directory, or on a URL.")
final class MysqlCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--url",
      paramLabel = "mysql://USER[:PASSWORD]@HOST:PORT/[SCHEMA]",
      description = "Any MySQL endpoint; by default the one that runs on the data directory.")
  private String url = "";

  @Option(
      names = {"-e", "--execute"},
      paramLabel = "SQL",
      description = "Run these statements and end.")
  private String execute = "";

  @Parameters(paramLabel = "OPTION", description = "Passed on to the mysql client.", arity = "0..*")
  private List<String> options = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    String target = url;
    if (target.isEmpty()) {
      target =
          new RunDirectory(data.path())
              .endpoint()
              .orElse("mysql://root@127.0.0.1:" + ClusterConfig.DEFAULT_PORT + "/");
    }
    MysqlEndpoint endpoint = MysqlEndpoint.parse(target, "");
    HostPort place = HostPort.parse(endpoint.host());
    MysqlInstallation installation =
        MysqlInstallations.find(
            MysqlSearch.fromEnvironment(System.getenv()), new ConsoleProgress(System.err));
    Path program =
        installation
            .client()
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "there is no mysql client beside " + installation.mysqld()));
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--protocol=TCP");
    command.add("--host=" + place.host());
    command.add("--port=" + place.port());
    command.add("--user=" + endpoint.user());
    if (!execute.isEmpty()) {
      command.add("--execute=" + execute);
    }
    command.addAll(options);
    if (!endpoint.database().isEmpty()) {
      command.add("--database=" + endpoint.database());
    }
    ProcessBuilder client = ChildProcess.of(command).inheritIO();
    if (!endpoint.password().isEmpty()) {
      // arguments are everybody's to read
      client.environment().put("MYSQL_PWD", endpoint.password());
    }
    return client.start().waitFor();
  }
}
