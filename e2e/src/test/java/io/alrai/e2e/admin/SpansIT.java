package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcStatement;
import com.sun.net.httpserver.HttpServer;
import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.net.TrustedProxies;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.cn.span.SpanChoice;
import io.alrai.cn.tls.TlsChoice;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a collector of OpenTelemetry gets of statements. */
class SpansIT {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private final List<OtlpSpan> spans = new CopyOnWriteArrayList<>();

  private HttpServer collector() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          spans.addAll(OtlpSpan.of(exchange.getRequestBody().readAllBytes()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private OtlpSpan span(String text) {
    while (true) {
      for (OtlpSpan each : spans) {
        if (each.server() && each.text().contains(text)) {
          return each;
        }
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void statementsBecomeSpans(@TempDir Path directory) throws Exception {
    HttpServer server = collector();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    EndpointChoice endpoint =
        new EndpointChoice(
            TlsChoice.OWN, TrustedProxies.NONE, false, DrainBounds.NONE, new SpanChoice(url, 0), 0);
    int metrics = Ports.free();
    ClusterConfig config =
        new ClusterConfig(
            directory,
            "127.0.0.1",
            0,
            2,
            1,
            metrics,
            TimestampMode.HLC,
            endpoint,
            Optional.empty());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(config, InstallProgress.silent());
        Connection connection = MiniCluster.connect(cluster.port(), "", "");
        Statement statement = connection.createStatement()) {
      Servers.run(
          connection,
          "CREATE DATABASE `s'p%n é`",
          "USE `s'p%n é`",
          "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8",
          "INSERT INTO t VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6),(7,7),(8,8)");
      comments(statement);
      exemplars(metrics);
      attributes(cluster.port());
      secrets(statement);
      slow(statement);
    } finally {
      server.stop(0);
    }
  }

  private static String parent(String flags) {
    return " /*app='x',traceparent='00-" + TRACE + "-" + PARENT + "-" + flags + "'*/";
  }

  private void comments(Statement statement) throws SQLException {
    statement.execute("SELECT 1 AS broken /*traceparent='00-zz-" + PARENT + "-01'*/");
    statement.execute("SELECT 2 AS unsampled" + parent("00"));
    statement.execute(
        "SELECT \"traceparent='00-" + TRACE + "-" + PARENT + "-01'\" AS quoted /* no parent */");
    Servers.only(statement, "SELECT b FROM t WHERE a = 4711" + parent("01"));
    OtlpSpan pinned = span("WHERE a = ?");
    assertEquals(TRACE, pinned.traceId());
    assertEquals(PARENT, pinned.parentId());
    assertEquals("SELECT", pinned.name());
    assertEquals("pinned", pinned.attributes().get("alrai.path"));
    assertEquals("s'p%n é", pinned.attributes().get("db.namespace"));
    statement.execute("UPDATE t SET b = b + 1" + parent("01"));
    OtlpSpan update = span("UPDATE t");
    List<String> below = new ArrayList<>();
    for (OtlpSpan each : spans) {
      if (each.parentId().equals(update.spanId())) {
        below.add(each.text());
        assertEquals(TRACE, each.traceId());
        assertTrue(each.start() >= update.start() - 1_000_000, each::toString);
      }
    }
    assertTrue(below.toString().contains("XA PREPARE"), below::toString);
    SQLException error =
        assertThrows(
            SQLException.class, () -> statement.execute("SELECT nothing FROM t" + parent("01")));
    assertEquals("1054", span("SELECT nothing").attributes().get("db.response.status_code"));
    assertEquals(1054, error.getErrorCode());
    String names = spans.stream().map(OtlpSpan::text).toList().toString();
    assertFalse(names.contains("broken"), names);
    assertFalse(names.contains("unsampled"), names);
    assertFalse(names.contains("quoted"), names);
  }

  /** A reader of metrics finds its way to a trace. */
  private static void exemplars(int port) throws IOException {
    URLConnection connection =
        URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openConnection();
    connection.setRequestProperty("Accept", "application/openmetrics-text");
    try (InputStream answer = connection.getInputStream()) {
      String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(
          text.lines()
              .filter(line -> line.contains("kind=\"update\",path=\"scatter\""))
              .anyMatch(line -> line.contains(" # {trace_id=\"" + TRACE + "\"} 0.")),
          text);
    }
  }

  /** An attribute is of the command that brings it, and of no later one. */
  private void attributes(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "&useServerPrepStmts=true");
        Statement statement = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement("SELECT ? AS prepared")) {
      JdbcStatement attributed = statement.unwrap(JdbcStatement.class);
      attributed.setAttribute("traceparent", "00-" + TRACE + "-" + PARENT + "-01");
      statement.execute("SELECT 1 AS attributed");
      assertEquals(TRACE, span("AS attributed").traceId());
      statement.execute("/* it does nothing */");
      prepared.setInt(1, 1);
      prepared.execute();
      statement.execute("SELECT 2 AS afterwards");
      span("AS afterwards");
      String names = spans.stream().map(OtlpSpan::text).toList().toString();
      assertFalse(names.contains("AS prepared"), names);
    }
  }

  private void secrets(Statement statement) throws SQLException {
    statement.execute("CREATE USER spanned IDENTIFIED BY 'top-secret'" + parent("01"));
    statement.execute("ALTER USER spanned IDENTIFIED BY 'top-secret'" + parent("01"));
    String padding = "x".repeat(1 << 20);
    statement.execute("SELECT 'top-secret', '" + padding + "' AS large" + parent("01"));
    statement.execute("DROP USER spanned" + parent("01"));
    span("DROP USER");
    assertEquals("CREATE USER spanned IDENTIFIED BY ?", span("CREATE USER").text());
    assertFalse(spans.toString().contains("top-secret"), spans::toString);
    assertFalse(spans.toString().contains("xxxx"));
  }

  private void slow(Statement statement) throws SQLException {
    statement.execute("SET SESSION long_query_time = 0");
    statement.execute("SELECT b AS slow_one FROM t");
    assertEquals("scatter", span("slow_one").attributes().get("alrai.path"));
  }

  /** A span as a collector reads it. */
  record OtlpSpan(
      String traceId,
      String spanId,
      String parentId,
      String name,
      boolean server,
      long start,
      Map<String, String> attributes) {
    String text() {
      return attributes.getOrDefault("db.query.text", "");
    }

    static List<OtlpSpan> of(byte[] request) {
      List<OtlpSpan> spans = new ArrayList<>();
      for (byte[] resource : Fields.of(request).all(1)) {
        for (byte[] scope : Fields.of(resource).all(2)) {
          for (byte[] span : Fields.of(scope).all(2)) {
            spans.add(ofOne(Fields.of(span)));
          }
        }
      }
      return spans;
    }

    private static OtlpSpan ofOne(Fields span) {
      Map<String, String> attributes = new TreeMap<>();
      for (byte[] attribute : span.all(9)) {
        Fields pair = Fields.of(attribute);
        attributes.put(pair.text(1), Fields.of(pair.all(2).getFirst()).text(1));
      }
      return new OtlpSpan(
          span.hex(1),
          span.hex(2),
          span.hex(4),
          span.text(5),
          span.number(6) == 2,
          span.number(7),
          attributes);
    }
  }

  /** The fields of a message of protocol buffers. */
  record Fields(Map<Integer, List<byte[]>> bytes, Map<Integer, Long> numbers) {
    static Fields of(byte[] message) {
      Fields fields = new Fields(new TreeMap<>(), new TreeMap<>());
      ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
      while (in.hasRemaining()) {
        int tag = (int) varint(in);
        switch (tag & 7) {
          case 0 -> fields.numbers.put(tag >> 3, varint(in));
          case 1 -> fields.numbers.put(tag >> 3, in.getLong());
          case 5 -> fields.numbers.put(tag >> 3, (long) in.getInt());
          default -> {
            byte[] value = new byte[(int) varint(in)];
            in.get(value);
            fields.bytes.computeIfAbsent(tag >> 3, any -> new ArrayList<>()).add(value);
          }
        }
      }
      return fields;
    }

    private static long varint(ByteBuffer in) {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = in.get();
        value |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
    }

    List<byte[]> all(int field) {
      return bytes.getOrDefault(field, List.of());
    }

    String text(int field) {
      return all(field).isEmpty() ? "" : new String(all(field).getFirst(), StandardCharsets.UTF_8);
    }

    String hex(int field) {
      return all(field).isEmpty() ? "" : HexFormat.of().formatHex(all(field).getFirst());
    }

    long number(int field) {
      return numbers.getOrDefault(field, 0L);
    }
  }
}
