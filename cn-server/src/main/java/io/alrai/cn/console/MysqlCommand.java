package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import java.io.IOException;
import java.net.URI;
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
    URI uri = URI.create(target);
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
    command.add("--host=" + uri.getHost());
    command.add("--port=" + uri.getPort());
    String[] login = String.valueOf(uri.getUserInfo()).split(":", 2);
    command.add("--user=" + login[0]);
    if (!execute.isEmpty()) {
      command.add("--execute=" + execute);
    }
    command.addAll(options);
    String path = uri.getPath();
    if (path != null && path.length() > 1) {
      command.add(path.substring(1));
    }
    ProcessBuilder client = new ProcessBuilder(command).inheritIO();
    if (login.length > 1) {
      client.environment().put("MYSQL_PWD", login[1]); // arguments are everybody's to read
    }
    return client.start().waitFor();
  }
}
