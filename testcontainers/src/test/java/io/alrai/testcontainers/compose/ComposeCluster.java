package io.alrai.testcontainers.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.net.ListenPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The containers of compose.yaml, by the command line of Docker, as a project of its own: with
 * names, volumes, ports and a network that no cluster of the machine's users has. Used by one
 * thread.
 */
final class ComposeCluster implements AutoCloseable {
  /** Those that serve, in the order in which they are killed: of each kind one after the other. */
  static final List<String> SERVICES =
      List.of(
          "cn-1",
          "gms-1",
          "dn-1-a",
          "columnar-1",
          "cn-2",
          "gms-2",
          "dn-1-b",
          "prometheus",
          "gms-3",
          "logger-1",
          "haproxy",
          "dn-2-a",
          "dn-2-b");

  /** From where CNs see HAProxy. */
  static final String BALANCER = "10.85.28.250";

  private static final String PROJECT = "alrai-it";
  private static final String NETWORK = "10.85.28.0/24";
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String PASSWORD = "docker's %24 secret";
  private static final long COMMAND_SECONDS = 400;
  private static final long LOOK_MILLIS = 500;

  /** What a command printed, and how it ended. */
  record Ended(int code, String out, String err) {}

  /** Something that becomes true. */
  interface Condition {
    boolean holds() throws Exception;
  }

  private final int port;
  private final int prometheus;

  /** One that does not run yet, with ports that are free. */
  ComposeCluster() throws IOException {
    this.port = ListenPorts.free();
    this.prometheus = ListenPorts.free();
  }

  /** Starts all and returns when all are healthy. */
  void up() throws IOException {
    succeed(compose("up", "-d", "--no-build", "--pull", "never"));
    awaitHealthy();
  }

  /** Waits until all say that they are ready. */
  void awaitHealthy() {
    awaitHealthy(SERVICES);
  }

  /** Waits until these say that they are ready. */
  void awaitHealthy(List<String> services) {
    await("the health of " + services, 300, () -> unhealthy(services).isEmpty());
  }

  /** Those of a kind: the loss of one is borne when all others of it are there. */
  static List<String> kind(String service) {
    return SERVICES.stream().filter(other -> kindOf(other).equals(kindOf(service))).toList();
  }

  private static String kindOf(String service) {
    return service.startsWith("logger") ? "dn" : service.replaceFirst("-.*", "");
  }

  private List<String> unhealthy(List<String> services) throws IOException {
    List<String> command = new ArrayList<>(List.of("docker", "inspect"));
    command.addAll(List.of("--format", "{{.Name}} {{.State.Health.Status}}"));
    services.forEach(service -> command.add(container(service)));
    return run(command).out().lines().filter(line -> !line.endsWith(" healthy")).toList();
  }

  private static String container(String service) {
    return PROJECT + "-" + service + "-1";
  }

  /** kill -9 of all that runs in a container, which ends it; Docker starts it again. */
  void kill(String service) throws IOException {
    run(compose("exec", "-T", "-u", "0", service, "sh", "-c", "kill -KILL -1"));
  }

  /**
   * Begins to stop a service as {@code docker compose stop} does, with the time that compose.yaml
   * gives it.
   */
  Process stopping(String service) throws IOException {
    return builder(compose("stop", service))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Whether HAProxy sends no more new clients to a CN. */
  boolean isDown(String cn) throws IOException {
    String ask =
        "exec 3<>/dev/tcp/127.0.0.1/8404"
            + " && printf 'GET /metrics?scope=server HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3";
    String line = "haproxy_server_status{proxy=\"cns\",server=\"" + cn + "\",state=\"DOWN\"} 1";
    return command("exec", "-T", "haproxy", "bash", "-c", ask).out().lines().anyMatch(line::equals);
  }

  /** How often Docker has started a container again because it had ended. */
  int restarts(String service) throws IOException {
    return Integer.parseInt(inspect(service, "{{.RestartCount}}"));
  }

  /** A property of a container, in the language of Docker's templates. */
  String inspect(String service, String template) throws IOException {
    return run(List.of("docker", "inspect", "--format", template, container(service)))
        .out()
        .strip();
  }

  /** A whole command of compose that must succeed. */
  Ended command(String... arguments) throws IOException {
    return succeed(compose(arguments));
  }

  /** The balancer, as root. */
  MysqlEndpoint balancer(String database) {
    return MysqlEndpoint.parse(server() + "/" + database + "?socketTimeout=60000", database);
  }

  /** The balancer, as root, without a database. */
  String server() {
    String password = PASSWORD.replace("%", "%25").replace(" ", "%20");
    return "mysql://root:" + password + "@127.0.0.1:" + port;
  }

  /** What Prometheus says. */
  String prometheus(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + prometheus + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  static void await(String what, long seconds, Condition condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try {
      while (!condition.holds()) {
        if (System.nanoTime() - end > 0) {
          throw new AssertionError(what + " did not come within " + seconds + " s");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (AssertionError e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(what, e);
    }
  }

  private static List<String> compose(String... arguments) {
    List<String> command = new ArrayList<>(List.of("docker", "compose", "-p", PROJECT));
    command.addAll(List.of(arguments));
    return command;
  }

  private Ended succeed(List<String> command) throws IOException {
    Ended ended = run(command);
    assertEquals(0, ended.code(), () -> command + ": " + ended.err() + ended.out());
    return ended;
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(ROOT.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("ALRAI_ROOT_PASSWORD", PASSWORD);
    environment.put("ALRAI_VERSION", System.getProperty("alrai.version"));
    environment.put("ALRAI_PORT", Integer.toString(port));
    environment.put("ALRAI_PROMETHEUS_PORT", Integer.toString(prometheus));
    environment.put("ALRAI_NETWORK", NETWORK);
    environment.put("ALRAI_BALANCER", BALANCER);
    return builder;
  }

  private Ended run(List<String> command) throws IOException {
    Path out = Files.createTempFile("compose", ".out");
    Path err = Files.createTempFile("compose", ".err");
    try {
      Process process =
          builder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end within " + COMMAND_SECONDS + " s");
      }
      return new Ended(
          process.exitValue(),
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Ends all containers and removes what they have kept. */
  @Override
  public void close() throws IOException {
    succeed(compose("--profile", "bench", "down", "--volumes", "--timeout", "5"));
  }
}
