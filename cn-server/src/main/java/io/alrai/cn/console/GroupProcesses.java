package io.alrai.cn.console;

import io.alrai.cn.process.RunDirectory;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The processes of a cluster whose DNs have three members, as files tell of them: {@code run} their
 * numbers, {@code log} which part each member plays. Any thread.
 */
final class GroupProcesses {
  /** The one logger of such a cluster. */
  static final String LOGGER = "logger-1";

  private static final Pattern CHANGE =
      Pattern.compile("^(\\S+ \\S+) .*GroupAgent - \\S+: \\w+ -> (\\w+) \\(.*");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

  private final Path directory;
  private final RunDirectory run;

  GroupProcesses(Path directory) {
    this.directory = directory;
    this.run = new RunDirectory(directory);
  }

  /**
   * What a member became last.
   *
   * @param since when, by its machine's clock
   * @param part as its log names it
   */
  record State(LocalDateTime since, String part) {
    boolean serves() {
      return part.equals("LEADING") || part.equals("FOLLOWING");
    }
  }

  /** The DNs of the cluster, in order. */
  List<String> dns() {
    return run.names().stream()
        .filter(name -> name.matches("dn-\\d+-a"))
        .map(name -> name.substring(0, name.length() - 2))
        .toList();
  }

  /** The members of a DN that have a mysqld. */
  static List<String> members(String dn) {
    return List.of(dn + "-a", dn + "-b");
  }

  /** The other of the two. */
  static String other(String member) {
    return member.substring(0, member.length() - 1) + (member.endsWith("a") ? "b" : "a");
  }

  /** Who leads a DN, if anybody says so. */
  Optional<String> leader(String dn) {
    return members(dn).stream()
        .filter(member -> run.process(member).isPresent())
        .filter(member -> state(member).filter(s -> s.part().equals("LEADING")).isPresent())
        .max(Comparator.comparing(member -> state(member).orElseThrow().since()));
  }

  /** What a member became last, if it has become anything since its process started. */
  Optional<State> state(String member) {
    Path log = directory.resolve("log").resolve(member + ".log");
    if (!Files.exists(log)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines
          .map(CHANGE::matcher)
          .filter(Matcher::matches)
          .map(match -> new State(LocalDateTime.parse(match.group(1), TIME), match.group(2)))
          .reduce((earlier, later) -> later);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a role's process is there. */
  boolean runs(String role) {
    return run.process(role).isPresent();
  }

  /**
   * The process of a role.
   *
   * @throws AlraiException when it does not run
   */
  ProcessHandle role(String name) {
    return run.process(name).orElseThrow(() -> missing(name));
  }

  /**
   * The mysqld of a member.
   *
   * @throws AlraiException when it does not run
   */
  ProcessHandle mysqld(String member) {
    Path file = directory.resolve(member).resolve("mysqld.pid");
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
          .orElseThrow(() -> missing("the mysqld of " + member));
    } catch (IOException | NumberFormatException e) {
      throw missing("the mysqld of " + member);
    }
  }

  private static AlraiException missing(String name) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, name + " does not run");
  }

  /** Sends SIGSTOP or SIGCONT. */
  static void signal(String signal, ProcessHandle process) throws InterruptedException {
    try {
      ChildProcess.of(List.of("kill", "-" + signal, Long.toString(process.pid())))
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
