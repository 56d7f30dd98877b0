package io.alrai.cn.span;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.optimizer.api.text.LexicalMode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Texts, parents and the queue of spans. */
class SpanTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final LexicalMode ANSI = new LexicalMode(StandardCharsets.UTF_8, true, false);
  private static final LexicalMode NO_ESCAPES =
      new LexicalMode(StandardCharsets.UTF_8, false, true);

  private static String text(String sql, LexicalMode mode) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return SpanText.of(bytes, bytes.length, mode);
  }

  private static String text(String sql) {
    return text(sql, LexicalMode.DEFAULT);
  }

  @Test
  void textsHaveNoLiterals() {
    assertEquals(
        "SELECT `a'b` FROM t WHERE a = ? AND b = ? AND c = ?",
        text(
            "SELECT `a'b` /* it's */ FROM t -- don't\n WHERE a = 'x''y' AND b = 0x1F AND c = 4.5"));
    assertEquals("CREATE USER u IDENTIFIED BY ?", text("CREATE USER u IDENTIFIED BY 'secret'"));
    // it may have been read in another sql_mode
    assertEquals("SET ...", text("SET PASSWORD = 'a\\', 'secret'", NO_ESCAPES));
    assertEquals("SET ...", text("SET sql_mode = 'NO_BACKSLASH_ESCAPES', @p = 'it\\'s secret'"));
    assertEquals("SET sql_mode = ?, @p = ?", text("SET sql_mode = 'ANSI', @p = \"secret\"", ANSI));
    assertEquals("SELECT /*+ ? */ ?", text("SELECT /*+ SET_VAR(x='secret') */ 1"));
    assertEquals("SELECT ...", text("SELECT 'secret"));
    assertEquals("SELECT ?", text("/*' */ SELECT 'secret'"));
    String large = text("SELECT '" + "s".repeat(SpanText.MOST_BYTES) + "', 'secret'");
    assertEquals("SELECT ...", large);
    assertEquals("SELECT ...", text("SELECT " + "1".repeat(SpanText.MOST_BYTES)));
    assertEquals("XA PREPARE", SpanText.verb("XA PREPARE ?"));
    assertEquals("", SpanText.verb(""));
  }

  private static @Nullable TraceParent in(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return TraceParent.inComment(bytes, bytes.length);
  }

  @Test
  void parentsStandInComments() {
    TraceParent parent = in("SELECT 1 /*a='b',traceparent='" + PARENT + "'*/");
    assertEquals(TraceParent.of(PARENT), parent);
    assertTrue(parent != null && parent.sampled());
    assertEquals(parent, in("/*traceparent='" + PARENT + "'*/ SELECT 1 " + "x".repeat(9_999)));
    assertEquals(parent, in("SELECT 1 " + "x".repeat(9_999) + " /*traceparent='" + PARENT + "'*/"));
    assertNull(in("SELECT 'traceparent=''" + PARENT + "'''"));
    assertNull(in("SELECT 1 /*x*/ + \"traceparent='" + PARENT + "'\""));
    assertNull(in("SELECT 1 /*traceparent='" + PARENT.replace("b7", "zz") + "'*/"));
    assertNull(in("SELECT 1 /*traceparent='" + PARENT.substring(0, 40)));
    assertNull(TraceParent.of(PARENT.replaceAll("-0af[0-9a-f]+", "-" + "0".repeat(32))));
    assertNull(TraceParent.of("01" + PARENT.substring(2)));
    assertNull(in(""));
  }

  @Test
  void choices() {
    assertEquals(SpanChoice.OFF, SpanChoice.of("", ""));
    assertEquals(new SpanChoice("http://c:4318/v1/traces", 1), of("http://c:4318/v1/traces", "1"));
    assertThrows(AlraiException.class, () -> of("c:4318", ""));
    assertThrows(AlraiException.class, () -> of("ftp://c/", ""));
    assertThrows(AlraiException.class, () -> of("", "2"));
    assertThrows(AlraiException.class, () -> of("", "NaN"));
    assertThrows(AlraiException.class, () -> of("", "much"));
  }

  private static SpanChoice of(String endpoint, String ratio) {
    return SpanChoice.of(endpoint, ratio);
  }

  private static EndedStatement ended(String text) {
    return new EndedStatement(text, "", "u", "PINNED", 1_000, 5, 1, 0, null, List.of());
  }

  /** Takes spans once it may, and says whether it could. */
  private static final class HeldExporter implements SpanExporter {
    private final List<SpanData> taken = new CopyOnWriteArrayList<>();
    private final CountDownLatch may = new CountDownLatch(1);
    private final boolean succeeds;
    private int requests;

    HeldExporter(boolean succeeds) {
      this.succeeds = succeeds;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      try {
        may.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      requests++;
      taken.addAll(spans);
      return succeeds ? CompletableResultCode.ofSuccess() : CompletableResultCode.ofFailure();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  private static long sent(HeldExporter exporter, Metrics metrics, int statements) {
    SpanExport export =
        new SpanExport(exporter, "nowhere", new NodeId("cn-1"), metrics, System::nanoTime);
    for (int i = 0; i < statements; i++) {
      export.apply(ended("SELECT ?"));
    }
    exporter.may.countDown();
    export.close();
    return metrics.adder(Metric.SPANS_SENT).sum();
  }

  @Test
  void aCollectorThatTakesNoneCostsAQueue() {
    Metrics metrics = new Metrics();
    HeldExporter held = new HeldExporter(true);
    int most = SpanQueue.MOST_WAITING;
    long sent = sent(held, metrics, 3 * most);
    long lost = metrics.adder(Metric.SPANS_LOST).sum();
    assertEquals(3 * most, sent + lost);
    assertTrue(sent <= most + 512, () -> "sent " + sent);
    assertEquals("SELECT", held.taken.getFirst().getName());
    assertFalse(held.taken.getFirst().getParentSpanContext().isValid());
  }

  @Test
  void whatIsNotTakenIsCounted() {
    Metrics metrics = new Metrics();
    assertEquals(0, sent(new HeldExporter(false), metrics, 10));
    assertEquals(10, metrics.adder(Metric.SPANS_LOST).sum());
  }

  /** One request for each would cost more than the statements do. */
  @Test
  void statementsThatEndSoonAfterEachOtherShareARequest() throws InterruptedException {
    HeldExporter exporter = new HeldExporter(true);
    exporter.may.countDown();
    try (SpanExport export =
        new SpanExport(exporter, "nowhere", new NodeId("cn-1"), new Metrics(), System::nanoTime)) {
      for (int i = 0; i < 20; i++) {
        export.apply(ended("SELECT ?"));
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
    assertEquals(20, exporter.taken.size());
    assertTrue(exporter.requests <= 3, () -> exporter.requests + " requests");
  }
}
