package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A MySQL server that was looked at and is fit for use.
 *
 * @param mysqld absolute path of the server program, or of a script that execs it
 * @param client absolute path of the command line client, when there is one beside the server
 * @param version at least {@link MysqlVersion#OLDEST}
 * @param passesNoDefaults whether {@code mysqld} is a script that passes --no-defaults by itself;
 *     the server takes that option only once
 */
public record MysqlInstallation(
    Path mysqld, Optional<Path> client, MysqlVersion version, boolean passesNoDefaults) {
  private static final Duration VERSION_BOUND = Duration.ofSeconds(30);
  private static final int LONGEST_SCRIPT = 64 * 1024;

  /**
   * Looks at a server program by running it with --version.
   *
   * @throws MysqldException UNSUITABLE with the path and the reason
   */
  public static MysqlInstallation of(Path program) {
    Path mysqld = program.toAbsolutePath().normalize();
    if (!Files.isRegularFile(mysqld) || !Files.isExecutable(mysqld)) {
      throw new MysqldException(
          Reason.UNSUITABLE, mysqld + " cannot be used: it is no program that can be run");
    }
    CommandRun run = CommandRun.of(List.of(mysqld.toString(), "--version"), VERSION_BOUND);
    try {
      if (run.exitCode() != 0) {
        throw new MysqldException(
            Reason.UNSUITABLE, "it ends with code " + run.exitCode() + ": " + run.tail(3));
      }
      MysqlVersion version = MysqlVersion.ofServerOutput(run.output());
      return new MysqlInstallation(mysqld, clientBeside(mysqld), version, isOwnScript(mysqld));
    } catch (MysqldException e) {
      throw new MysqldException(e.reason(), mysqld + " cannot be used: " + e.sentence(), e);
    }
  }

  /** The start of every command line of the server; options follow. */
  List<String> serverCommand() {
    List<String> command = new ArrayList<>();
    command.add(mysqld.toString());
    if (!passesNoDefaults) {
      command.add("--no-defaults");
    }
    if (isRoot()) {
      command.add("--user=root");
    }
    return command;
  }

  private static Optional<Path> clientBeside(Path mysqld) {
    List<Path> places = new ArrayList<>();
    Path bin = mysqld.getParent();
    if (bin != null) {
      places.add(bin.resolve("mysql"));
      places.add(bin.resolveSibling("bin").resolve("mysql"));
    }
    return places.stream().filter(Files::isExecutable).findFirst();
  }

  private static boolean isOwnScript(Path mysqld) {
    try {
      if (Files.size(mysqld) > LONGEST_SCRIPT) {
        return false;
      }
      String text = Files.readString(mysqld, StandardCharsets.ISO_8859_1);
      return text.startsWith("#!")
          && Arrays.stream(text.split("\\s+", -1)).anyMatch("--no-defaults"::equals);
    } catch (IOException e) {
      throw new MysqldException(Reason.PERMISSION, "cannot read " + mysqld, e);
    }
  }

  private static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "root".equals(System.getProperty("user.name")); // no /proc: macOS
    }
  }
}
