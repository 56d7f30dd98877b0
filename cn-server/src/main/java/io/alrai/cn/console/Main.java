package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.mysqld.MysqldException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: every process of Alrai starts here. */
@Command(
    name = "alrai",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "One MySQL endpoint over many stock MySQL servers.",
    footer = {
      "",
      "Environment:",
      "  ALRAI_MYSQLD         a MySQL server; else one of PATH, else a fetched one",
      "  ALRAI_FETCH          no: none is fetched",
      "  ALRAI_DEBIAN_MIRROR  where from: http, https or file addresses, tried in turn",
      "  ALRAI_CACHE          where to; default ~/.cache/alrai",
      "  https_proxy, http_proxy, no_proxy"
    },
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      MemberCommand.class,
      DemoCommand.class,
      MysqlCommand.class,
      MysqldCommand.class,
      BenchCommand.class,
      WarmCommand.class,
      InitCommand.class,
      CheckCommand.class,
      CertCommand.class,
      RoleCommands.Node.class,
      RoleCommands.Gms.class,
      RoleCommands.Dn.class,
      RoleCommands.Logger.class,
      RoleCommands.Columnar.class,
      RoleCommands.Cn.class
    })
public final class Main {
  private Main() {}

  /** Runs one command; the exit code is 0 for success, 1 for a failure, 2 for a wrong use. */
  public static void main(String[] arguments) {
    boolean demo = arguments.length > 0 && arguments[0].equals("demo");
    Optional<DemoLog> log = demo ? Optional.of(DemoLog.begin()) : Optional.empty();
    int code = commandLine().execute(arguments);
    log.ifPresent(written -> written.end(code == 1));
    System.exit(code);
  }

  /** All commands; one that fails ends with 1, and with a sentence for a person. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler((error, command, parsed) -> {
          command.getErr().println("alrai: " + sentence(error));
          return 1;
        });
  }

  /** What a person needs to know of an error; a stack trace for defects only. */
  private static String sentence(Exception error) {
    if (error instanceof AlraiException || error instanceof MysqldException) {
      return String.valueOf(error.getMessage());
    }
    Deque<String> causes = new ArrayDeque<>();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      causes.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
    }
    return String.join("; because of ", causes);
  }
}
