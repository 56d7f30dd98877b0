package io.alrai.dn.mysqld;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The MySQL server of the machine, and its command line client, for tests. */
final class RealServer {
  private RealServer() {}

  static DataDirectoryTemplate template() {
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    InstallProgress progress = new PrintedProgress();
    return new DataDirectoryTemplate(
        MysqlInstallations.find(search, progress), search.cacheDirectory(), progress);
  }

  /** Rows as the client prints them in batch mode, without header. */
  static String query(MysqldInstance instance, String account, String sql) {
    return run(instance, List.of("--socket=" + instance.socketPath(), "--user=" + account), sql);
  }

  /** What is printed by statements that go on after errors, these too. */
  static String forced(MysqldInstance instance, String account, String sql) {
    return run(
        instance,
        List.of("--force", "--socket=" + instance.socketPath(), "--user=" + account),
        sql);
  }

  static String queryOverTcp(MysqldInstance instance, int port, String sql) {
    return run(
        instance,
        List.of(
            "--protocol=TCP",
            "--host=127.0.0.1",
            "--port=" + port,
            "--get-server-public-key",
            "--user=" + MysqldInstance.DDL_ACCOUNT),
        sql);
  }

  private static String run(MysqldInstance instance, List<String> where, String sql) {
    Path client = instance.installation().client().orElseThrow();
    List<String> command = new ArrayList<>(List.of(client.toString(), "--no-defaults"));
    command.addAll(where);
    command.addAll(List.of("--password=" + instance.password(), "-N", "-B", "-e", sql));
    CommandRun run = CommandRun.of(command, Duration.ofSeconds(30));
    String output = run.output().replaceAll("mysql: \\[Warning\\][^\\n]*\\n?", "");
    if (run.exitCode() != 0 && !where.contains("--force")) {
      throw new AssertionError("client ended with " + run.exitCode() + ": " + output);
    }
    return output.strip();
  }
}
