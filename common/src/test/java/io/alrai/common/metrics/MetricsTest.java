package io.alrai.common.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final DnId ONE = new DnId("dn-1");
  private static final DnId TWO = new DnId("dn-2");

  private final Metrics metrics = new Metrics();
  private final Readiness readiness = new Readiness();

  @Test
  void theSameSeriesIsOneAdder() {
    assertSame(metrics.adder(Metric.STATEMENTS), metrics.adder(Metric.STATEMENTS));
    assertSame(metrics.adder(Metric.GATE_OPENS, ONE), metrics.adder(Metric.GATE_OPENS, ONE));
    metrics.adder(Metric.GATE_OPENS, ONE).increment();
    assertEquals(0, metrics.adder(Metric.GATE_OPENS, TWO).sum());
  }

  @Test
  void countsAndGaugesAreKeptApart() {
    assertThrows(IllegalArgumentException.class, () -> metrics.adder(Metric.CONNECTIONS));
    assertThrows(IllegalArgumentException.class, () -> metrics.now(Metric.STATEMENTS, () -> 1));
  }

  @Test
  void prometheusGetsEachSeriesWithItsType() {
    metrics.adder(Metric.STATEMENTS).add(7);
    metrics.adder(Metric.GATE_HOLDS, TWO).add(TimeUnit.MILLISECONDS.toNanos(1500));
    metrics.adder(Metric.GATE_HOLDS, ONE).add(1);
    metrics.now(Metric.CONNECTIONS, () -> 3);
    assertEquals(
        """
        # HELP alrai_connections clients that are logged in
        # TYPE alrai_connections gauge
        alrai_connections 3
        # HELP alrai_statements_total statements of clients, each one of a text
        # TYPE alrai_statements_total counter
        alrai_statements_total 7
        # HELP alrai_gate_hold_seconds_total time for which commits after a cut were kept invisible
        # TYPE alrai_gate_hold_seconds_total counter
        alrai_gate_hold_seconds_total{dn="dn-1"} 0.000000001
        alrai_gate_hold_seconds_total{dn="dn-2"} 1.5
        """,
        plain());
  }

  private String plain() {
    return PrometheusText.of(metrics.samples(), PrometheusText.Format.PLAIN);
  }

  /** Who asks for OpenMetrics gets the last trace of each bucket, too. */
  @Test
  void tracesArePointedTo() throws Exception {
    Latency one = metrics.latency(Metric.COMMIT_TIMES, "dns", "o\"e");
    one.record(TimeUnit.MILLISECONDS.toNanos(3));
    one.exemplar(TimeUnit.MILLISECONDS.toNanos(4), "ab", 1);
    one.exemplar(TimeUnit.MILLISECONDS.toNanos(3), "cd", 1_764_000_000_123L);
    metrics.adder(Metric.STATEMENTS).add(7);
    metrics.adder(Metric.STATEMENTS).add(7);
    assertEquals(-1, plain().indexOf("cd"), "the plain format has no word for them");
    try (MetricsPort port = MetricsPort.open(metrics, readiness, "127.0.0.1", 0)) {
      HttpRequest question =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + "/metrics"))
              .header("Accept", "application/openmetrics-text;version=1.0.0;q=0.6,*/*;q=0.1")
              .build();
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(question, HttpResponse.BodyHandlers.ofString());
      assertEquals(
          "application/openmetrics-text; version=1.0.0; charset=utf-8",
          answer.headers().firstValue("Content-Type").orElse(""));
      String text = answer.body();
      assertTrue(
          text.contains(
              "_bucket{dns=\"o\\\"e\",le=\"0.005\"} 1"
                  + " # {trace_id=\"cd\"} 0.003 1764000000.123\n"),
          text);
      assertTrue(
          text.contains("# TYPE alrai_statements counter\nalrai_statements_total 14\n"), text);
      assertTrue(text.endsWith("\n# EOF\n"), text);
    }
  }

  @Test
  void latenciesAreDistributions() {
    Latency many = metrics.latency(Metric.COMMIT_TIMES, "dns", "many");
    assertSame(many, metrics.latency(Metric.COMMIT_TIMES, "dns", "many"));
    many.record(TimeUnit.MICROSECONDS.toNanos(50));
    many.record(TimeUnit.MICROSECONDS.toNanos(50) + 1);
    many.record(TimeUnit.SECONDS.toNanos(100));
    String text = plain();
    for (String line :
        List.of(
            "# TYPE alrai_commit_seconds histogram",
            "alrai_commit_seconds_bucket{dns=\"many\",le=\"0.00005\"} 1",
            "alrai_commit_seconds_bucket{dns=\"many\",le=\"0.0001\"} 2",
            "alrai_commit_seconds_bucket{dns=\"many\",le=\"60\"} 2",
            "alrai_commit_seconds_bucket{dns=\"many\",le=\"+Inf\"} 3",
            "alrai_commit_seconds_sum{dns=\"many\"} 100.000100001",
            "alrai_commit_seconds_count{dns=\"many\"} 3")) {
      assertTrue(text.contains(line + "\n"), line + " in " + text);
    }
    metrics.latency(Metric.COMMIT_TIMES, "dns", "one");
    assertEquals(Map.of("Alrai_commit_seconds_p99", "60"), metrics.status());
    assertThrows(IllegalArgumentException.class, () -> metrics.adder(Metric.COMMIT_TIMES));
    assertThrows(IllegalArgumentException.class, () -> metrics.latency(Metric.STATEMENTS));
  }

  @Test
  void latenciesAndCountsOfOthersAreShown() {
    AtomicReference<Latency> now = new AtomicReference<>(new Latency());
    metrics.measured(Metric.BACKEND_WAITS, ONE, now::get);
    now.get().record(TimeUnit.SECONDS.toNanos(1));
    assertEquals("1", metrics.status().get("Alrai_backend_wait_seconds_p99"));
    now.set(new Latency());
    String text = plain();
    assertTrue(text.contains("alrai_backend_wait_seconds_count{dn=\"dn-1\"} 0\n"), text);
    metrics.counted(Metric.MYSQLD_LOCK_WAITS, TWO, () -> TimeUnit.MILLISECONDS.toNanos(1500));
    assertEquals("1.5", metrics.status().get("Alrai_mysqld_row_lock_wait_seconds_total"));
  }

  @Test
  void aClockThatIsAheadSaysSo() {
    metrics.clock(() -> HlcTimestamp.ofMillis(10_250).value(), () -> 10_000);
    assertEquals("0.25", metrics.status().get("Alrai_clock_ahead_seconds"));
  }

  @Test
  void theDiskIsThatOfTheNodesOwnDirectory() {
    ProcessMetrics.disk(metrics, Path.of("/"), "dev");
    long dev = Path.of("/dev").toFile().getTotalSpace();
    assertEquals(Long.toString(dev), metrics.status().get("Alrai_disk_size_bytes"));
  }

  @Test
  void marksInLabelsAreEscaped() {
    metrics.counted(Metric.GATE_OPENS, ONE, "a\"b\\c\n", new LongAdder());
    String text = plain();
    assertTrue(text.contains("{dn=\"dn-1\",reason=\"a\\\"b\\\\c\\n\"} 0\n"), text);
  }

  @Test
  void showStatusGetsSumsOverTheDnsAndTheLargestAge() {
    metrics.adder(Metric.GATE_CUTS, ONE).add(2);
    metrics.adder(Metric.GATE_CUTS, TWO).add(3);
    metrics.now(Metric.IN_DOUBT_AGE, ONE, () -> 0.5);
    metrics.now(Metric.IN_DOUBT_AGE, TWO, () -> 0.25);
    assertEquals(
        Map.of("Alrai_gate_cuts_total", "5", "Alrai_in_doubt_age_seconds", "0.5"),
        metrics.status());
  }

  @Test
  void thePortServesWhatIsCountedNow() throws IOException, InterruptedException {
    try (MetricsPort port = MetricsPort.open(metrics, readiness, "127.0.0.1", 0);
        HttpClient client = HttpClient.newHttpClient()) {
      metrics.adder(Metric.STATEMENTS).increment();
      HttpResponse<String> answer = get(client, port, "/metrics");
      assertEquals(200, answer.statusCode());
      assertEquals(
          PrometheusText.Format.PLAIN.contentType(),
          answer.headers().firstValue("Content-Type").orElse(""));
      assertTrue(answer.body().contains("\nalrai_statements_total 1\n"), answer.body());
      assertEquals(404, get(client, port, "/other").statusCode());
      assertThrows(
          AlraiException.class,
          () -> MetricsPort.open(metrics, readiness, "127.0.0.1", port.port()));
    }
  }

  @Test
  void thePortSaysWhatIsMissing() throws Exception {
    List<String> dns = new ArrayList<>(List.of("dn-1 does not answer"));
    try (MetricsPort port = MetricsPort.open(metrics, readiness, "127.0.0.1", 0);
        HttpClient client = HttpClient.newHttpClient()) {
      assertEquals("200 alive\n", text(get(client, port, "/healthz")));
      assertEquals("503 it is starting\n", text(get(client, port, "/readyz")));
      AtomicReference<Optional<String>> lease =
          new AtomicReference<>(Optional.of("it has no lease"));
      readiness.needs(lease::get);
      readiness.notes(() -> dns);
      AutoCloseable serving = readiness.serves();
      assertEquals("503 it has no lease\n", text(get(client, port, "/readyz")));
      lease.set(Optional.empty());
      assertEquals("200 ready\ndn-1 does not answer\n", text(get(client, port, "/readyz")));
      dns.clear();
      assertEquals("200 ready\n", text(get(client, port, "/readyz")));
      HttpRequest head =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + "/readyz"))
              .HEAD()
              .build();
      assertEquals("200 ", text(client.send(head, HttpResponse.BodyHandlers.ofString())));
      serving.close();
      assertEquals("503 it is stopping\n", text(get(client, port, "/readyz")));
      assertEquals("200 alive\n", text(get(client, port, "/healthz")));
    }
  }

  private static String text(HttpResponse<String> answer) {
    return answer.statusCode() + " " + answer.body();
  }

  private static HttpResponse<String> get(HttpClient client, MetricsPort port, String path)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void theReferenceListsExactlyWhatThereIs() throws IOException {
    Path page = Path.of("..", "docs", "reference", "metrics.md");
    List<String> listed =
        Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE)
            .matcher(Files.readString(page))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertEquals(Arrays.stream(Metric.values()).map(Metric::label).toList(), listed);
  }
}
