package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The mysql command line. */
final class MysqlClient {
  private static final int RUN_SECONDS = 60;

  private MysqlClient() {}

  /** Runs it as root; the test is left out where there is none beside mysqld. */
  static Program.Ending run(Path directory, int port, List<String> options, String input)
      throws Exception {
    Optional<Path> client =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .client();
    assumeTrue(client.isPresent(), "there is no mysql command line beside mysqld");
    Path file = Files.createTempFile(directory, "input", ".sql");
    Files.writeString(file, input);
    List<String> command = new ArrayList<>();
    command.add(client.orElseThrow().toString());
    command.addAll(List.of("--no-defaults", "--commands", "-h127.0.0.1", "-P" + port, "-uroot"));
    command.addAll(options);
    return Program.run(directory, Map.of(), Optional.of(file), RUN_SECONDS, command);
  }
}
