package io.alrai.e2e.columnar;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** A cluster of two CNs and two DNs in processes of their own, with column nodes. */
final class NodeCluster implements AutoCloseable {
  private static final int CNS = 2;
  private static final int DNS = 2;

  private final ClusterProcess cluster;
  private final int metrics;

  private NodeCluster(ClusterProcess cluster, int metrics) {
    this.cluster = cluster;
    this.metrics = metrics;
  }

  static NodeCluster start(int nodes) {
    int metrics = Ports.free();
    return new NodeCluster(
        ClusterProcess.up(
            List.of(),
            "--processes",
            "--dns",
            Integer.toString(DNS),
            "--cns",
            Integer.toString(CNS),
            "--columnars",
            Integer.toString(nodes),
            "--metrics-port",
            Integer.toString(metrics)),
        metrics);
  }

  ClusterProcess processes() {
    return cluster;
  }

  /** The port of a CN, counted from 0. */
  int port(int cn) {
    return cluster.port() + cn;
  }

  Connection connect(int cn, String schema) throws SQLException {
    return MiniCluster.connect(port(cn), schema, "");
  }

  /** Of both CNs. */
  long answered() throws SQLException {
    return ColumnIndexed.answered(port(0)) + ColumnIndexed.answered(port(1));
  }

  ProcessHandle node(int number) {
    return cluster.role("columnar-" + number).orElseThrow();
  }

  /** What a node's configuration says. */
  String configured(int number, String name) throws IOException {
    Properties properties = new Properties();
    try (Reader reader =
        Files.newBufferedReader(
            cluster.directory().resolve("etc").resolve("columnar-" + number + ".properties"))) {
      properties.load(reader);
    }
    return properties.getProperty(name);
  }

  /** Memory that the queries of a node have. */
  long queryBytes(int number) {
    URI uri = URI.create("http://127.0.0.1:" + (metrics + CNS + DNS + number - 1) + "/metrics");
    try (HttpClient client = HttpClient.newHttpClient()) {
      String text =
          client
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      return text.lines()
          .filter(line -> line.startsWith("alrai_ap_memory_bytes"))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
          .findFirst()
          .orElseThrow(() -> new AssertionError(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
