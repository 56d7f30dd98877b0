package io.alrai.testing;

import io.alrai.cn.console.Main;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A cluster started by the command line in a process of its own, to be killed. Its JVM gets what
 * {@code ./alrai} gives it, and compiles quickly: it does not live long. One thread, but for {@link
 * #kill}.
 */
public final class ClusterProcess implements AutoCloseable {
  /** Longer than any start of a process takes, even on a machine that has much else to do. */
  private static final long PATIENCE_SECONDS = 120;

  /** Longer than all processes of a cluster take, which start one after the other. */
  private static final long READY_SECONDS = 400;

  /** Of each log, when a test fails. */
  private static final int MOST_LINES = 30;

  /** What JVMs of a cluster have that may start with one {@link RoleCache}. */
  private static final List<String> STANDARD =
      List.of(
          "-XX:+UseSerialGC",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=192m",
          "-XX:+UseCompactObjectHeaders",
          "-XX:TieredStopAtLevel=1",
          "-Djdk.tls.rejectClientInitiatedRenegotiation=true",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");

  private static final String OFFSET = "clock.offset.millis";

  /** They do not outlive the tests' JVM. */
  private static final Set<ClusterProcess> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> OPEN.forEach(ClusterProcess::killAll), "end-clusters"));
  }

  private final Path directory;
  private List<String> arguments;
  private final List<String> shell;
  private final List<String> jvm;
  private final int port;
  private Process process;

  private ClusterProcess(
      Path directory, List<String> shell, List<String> jvm, List<String> arguments) {
    this.directory = directory;
    this.shell = shell;
    this.jvm = jvm;
    this.port = Ports.free();
    this.arguments = arguments;
    this.process = launch("up.log", command());
  }

  /** What is done with the directory of a new cluster before that starts. */
  @FunctionalInterface
  public interface Preparation {
    /**
     * Does it.
     *
     * @return options for the JVMs of the cluster after the standard ones
     */
    List<String> prepare(Path directory) throws IOException;
  }

  /**
   * Starts {@code up} with these arguments besides the port and the directory, and returns when it
   * serves.
   *
   * @param jvm options of its JVM after the standard ones
   */
  public static ClusterProcess up(List<String> jvm, String... arguments) {
    return upAfter(List.of(_ -> jvm), arguments);
  }

  /** As {@link #up}, with what is prepared in that order. */
  public static ClusterProcess upAfter(
      List<? extends Preparation> preparations, String... arguments) {
    Path directory = TestDirectories.create("kill-");
    List<String> jvm = new ArrayList<>();
    try {
      for (Preparation preparation : preparations) {
        jvm.addAll(preparation.prepare(directory));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return started(new ClusterProcess(directory, List.of(), jvm, List.of(arguments)));
  }

  /** Starts {@code up} with this many file descriptors for each of its processes. */
  public static ClusterProcess upWithOpenFiles(int limit, String... arguments) {
    List<String> shell = List.of("sh", "-c", "ulimit -n " + limit + "; exec \"$@\"", "sh");
    return started(
        new ClusterProcess(TestDirectories.create("kill-"), shell, List.of(), List.of(arguments)));
  }

  private static ClusterProcess started(ClusterProcess cluster) {
    OPEN.add(cluster);
    ClusterStates.opened(cluster, cluster::endsOfLogs);
    try {
      cluster.awaitReady();
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(List.of("up"));
    command.addAll(List.of("--port", Integer.toString(port), "--data", directory.toString()));
    command.addAll(arguments);
    return command;
  }

  private Process launch(String log, List<String> command) {
    List<String> line = new ArrayList<>(shell);
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(STANDARD);
    boolean keeps = command.contains("--processes") || command.contains("--nodes");
    List<String> cache = keeps ? RoleCache.options(STANDARD) : List.of();
    line.addAll(cache);
    line.addAll(jvm);
    String classPath =
        cache.isEmpty() ? System.getProperty("java.class.path") : RoleCache.classPath();
    line.addAll(List.of("-cp", classPath, Main.class.getName()));
    line.addAll(command);
    try {
      return new ProcessBuilder(line)
          .redirectInput(Path.of("/dev/null").toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve(log).toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady() {
    long before = readyLines();
    try {
      await("the ready line", READY_SECONDS, () -> !process.isAlive() || readyLines() > before);
    } catch (AssertionError late) {
      throw new AssertionError(late.getMessage() + ":\n" + output(), late);
    }
    if (readyLines() == before) {
      throw new AssertionError("it ended:\n" + output());
    }
  }

  private long readyLines() {
    return output().lines().filter(line -> line.startsWith("ready mysql:")).count();
  }

  /** What it has printed. */
  public String output() {
    return printed("up.log");
  }

  /** What the last {@link #another} printed. */
  public String outputOfAnother() {
    return printed("another.log");
  }

  private String printed(String log) {
    try {
      return Files.readString(directory.resolve(log));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory of its data. */
  public Path directory() {
    return directory;
  }

  /** The endpoint's port on 127.0.0.1, the first of several. */
  public int port() {
    return port;
  }

  /** The process that {@code up} runs in. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /**
   * Memory of that process.
   *
   * @param field of its status under /proc: {@code VmRSS}, {@code VmHWM}
   */
  public long kilobytes(String field) throws IOException {
    Path status = Path.of("/proc", Long.toString(process().pid()), "status");
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(field + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no " + field + " in " + status);
  }

  /** Starts it again, after a kill, on the same data and port; returns when it serves. */
  public void startAgain() {
    process = launch("up.log", command());
    awaitReady();
  }

  /** As {@link #startAgain()}, with other arguments from now on. */
  public void startAgain(String... with) {
    arguments = List.of(with);
    startAgain();
  }

  /** kill -9 of its JVM. */
  public void kill() {
    kill(process.toHandle());
  }

  /** kill -9 of any of its processes; returns when it is gone. */
  public static void kill(ProcessHandle victim) {
    victim.destroyForcibly();
    await("the end of " + victim.pid(), () -> !runs(victim));
  }

  /** SIGSTOP: it does nothing until {@link #resume}, but its connections stay open. */
  public static void pause(ProcessHandle process) {
    signal("STOP", process);
  }

  /** SIGCONT. */
  public static void resume(ProcessHandle process) {
    signal("CONT", process);
  }

  private static void signal(String name, ProcessHandle process) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + name + " " + process.pid() + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Has a role's clock go wrong by so much from its next start on; {@code --processes} only. */
  public void clockOffset(String role, long millis) {
    Path file = directory.resolve("etc").resolve(role + ".properties");
    try {
      List<String> lines =
          Files.readAllLines(file).stream()
              .map(line -> line.startsWith(OFFSET) ? OFFSET + " = " + millis : line)
              .toList();
      if (!lines.contains(OFFSET + " = " + millis)) {
        throw new AssertionError("no " + OFFSET + " in " + file);
      }
      PrivateFiles.write(file, String.join("\n", lines) + "\n"); // others read it at any time
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a process does anything; one that waits to be noticed by its parent does not. */
  public static boolean runs(ProcessHandle process) {
    return process.isAlive() && !commandLine(process).isEmpty();
  }

  /** The mysqld of this DN, if one runs. */
  public Optional<ProcessHandle> mysqld(String dn) {
    String mark = "--datadir=" + directory.resolve(dn).resolve("data");
    return ProcessHandle.allProcesses()
        .filter(process -> {
          List<String> line = commandLine(process);
          return line.contains(mark) && !line.contains("alrai-mysqld");
        })
        .findFirst();
  }

  /** The role of this name, if it runs; {@code --processes} only. */
  public Optional<ProcessHandle> role(String name) {
    String mark = directory.resolve("etc").resolve(name + ".properties").toString();
    return ProcessHandle.allProcesses()
        .filter(process -> commandLine(process).contains(mark))
        .findFirst();
  }

  /** Everything that runs on its directory, watchers of mysqlds included. */
  public List<ProcessHandle> processes() {
    String mark = directory + "/";
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process ->
            commandLine(process).stream()
                .anyMatch(word -> word.contains(mark) || word.equals(directory.toString())))
        .toList();
  }

  /** Its words; none of one that is gone or waits to be noticed by its parent. */
  public static List<String> commandLine(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      String line = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return line.isEmpty() ? List.of() : Arrays.asList(line.split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Runs another command of the command line on its directory and returns its exit code. */
  public int command(String name, String... arguments) {
    List<String> command = new ArrayList<>(List.of(name));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--data", directory.toString()));
    return run(name + ".log", command);
  }

  /** Runs {@code up} with these arguments until it ends; its exit code. */
  public int another(String... arguments) {
    List<String> command = new ArrayList<>(List.of("up"));
    command.addAll(List.of(arguments));
    return run("another.log", command);
  }

  /** Runs a role with this configuration until it ends; its exit code. */
  public int anotherRole(String role, Path config) {
    return run("another.log", List.of(role, "--config", config.toString()));
  }

  private int run(String log, List<String> command) {
    Process other = launch(log, command);
    try {
      if (!other.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        other.destroyForcibly();
        throw new AssertionError(command + " does not end");
      }
    } catch (InterruptedException e) {
      other.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    return other.exitValue();
  }

  /** A condition of the outside world. */
  @FunctionalInterface
  public interface Condition {
    /** Whether it holds now. */
    boolean holds();
  }

  /** Waits until it holds. */
  public static void await(String what, Condition condition) {
    await(what, PATIENCE_SECONDS, condition);
  }

  /**
   * Waits until it holds.
   *
   * @throws AssertionError if it does not in time
   */
  public static void await(String what, long seconds, Condition condition) {
    await(what, seconds, 20, condition);
  }

  /**
   * Waits until it holds.
   *
   * @param pauseMillis between two looks
   * @throws AssertionError if it does not in time
   */
  public static void await(String what, long seconds, long pauseMillis, Condition condition) {
    await(() -> what, seconds, pauseMillis, condition);
  }

  /**
   * Waits until it holds.
   *
   * @param what is asked for when it does not hold in time
   * @param pauseMillis between two looks
   * @throws AssertionError if it does not in time
   */
  public static void await(
      Supplier<String> what, long seconds, long pauseMillis, Condition condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(what.get() + " did not come within " + seconds + " s");
      }
      try {
        Thread.sleep(pauseMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }

  /** Kills all that is left and deletes the directory. */
  @Override
  public void close() {
    ClusterStates.closing(this);
    killAll();
    OPEN.remove(this);
    TestDirectories.remove(directory);
  }

  /** The last lines of what its processes have logged. */
  private String endsOfLogs() {
    StringBuilder ends = new StringBuilder(directory.toString());
    try (Stream<Path> found = Files.walk(directory, 2)) {
      List<Path> logs =
          found.filter(file -> file.toString().matches(".*\\.(log|err)")).sorted().toList();
      for (Path log : logs) {
        List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        ends.append("\n== ").append(directory.relativize(log));
        lines
            .subList(Math.max(0, lines.size() - MOST_LINES), lines.size())
            .forEach(line -> ends.append('\n').append(line));
      }
    } catch (IOException | UncheckedIOException e) {
      ends.append("\n").append(e); // a process may be writing it anew
    }
    return ends.toString();
  }

  private void killAll() {
    kill();
    List<ProcessHandle> left = processes();
    while (!left.isEmpty()) {
      left.forEach(ProcessHandle::destroyForcibly);
      left = processes();
    }
  }
}
