package io.alrai.cn.digest;

import io.alrai.cn.session.Session;
import io.alrai.cn.slowlog.SlowLog;
import io.alrai.cn.span.StatementSpans;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of a CN by their digests. Its event loops count, each for itself; whoever reads
 * gets the sums. Thread-safe.
 */
public final class StatementDigests {
  private static final Logger log = LoggerFactory.getLogger(StatementDigests.class);

  /** How many slots are copied at a time: no client waits for long. */
  private static final int SLICE = 512;

  private static final int WAIT_SECONDS = 10;

  private final Map<EventLoop, DigestTable> tables = new ConcurrentHashMap<>();
  private final ShapeNaming naming;
  private final StatementTimes times;
  private final SlowLog slowLog;
  private final LongSupplier wallMillis;
  private final @Nullable StatementSpans spans;
  private volatile boolean on = true;

  private record Key(String schema, String hash) {}

  /**
   * Those of a CN that starts now.
   *
   * @param times has all statements, those that are not counted by digest, too
   * @param slowLog where slow ones are written
   * @param background runs what asks mysqlds
   * @param wallMillis milliseconds since 1970
   * @param spans makes spans of statements; null for none
   */
  public StatementDigests(
      DigestNames names,
      StatementTimes times,
      SlowLog slowLog,
      Executor background,
      LongSupplier wallMillis,
      @Nullable StatementSpans spans) {
    this.naming = new ShapeNaming(names::name, background, System::nanoTime);
    this.times = times;
    this.slowLog = slowLog;
    this.wallMillis = wallMillis;
    this.spans = spans;
  }

  /** Whether statements that begin are counted. */
  public boolean on() {
    return on;
  }

  /** Counts statements that begin from now on, or does not; what was counted stays. */
  public void on(boolean counts) {
    on = counts;
  }

  /** Where slow statements are written. */
  public SlowLog slowLog() {
    return slowLog;
  }

  @Nullable StatementSpans spans() {
    return spans;
  }

  StatementTimes times() {
    return times;
  }

  long wallMillis() {
    return wallMillis.getAsLong();
  }

  /** What measures the statements of a client. */
  public MeasuredStatement of(EventLoop loop, Session session) {
    DigestTable table = tables.computeIfAbsent(loop, key -> new DigestTable(naming::later));
    return new MeasuredStatement(session, table, this, System::nanoTime);
  }

  /** What was counted until now, those first that took longest in all. Blocking. */
  List<DigestRow> rows() {
    List<ShapeCount> shapes = new ArrayList<>();
    tables.forEach((loop, table) -> {
      for (int from = 0; from < DigestTable.slots(); from += SLICE) {
        int first = from;
        shapes.addAll(wait(loop, () -> table.copies(first, first + SLICE), List.<ShapeCount>of()));
      }
    });
    naming.now(shapes.stream().map(shape -> shape.name).toList());
    Map<Key, DigestRow> rows = new LinkedHashMap<>();
    shapes.forEach(shape -> add(rows, shape));
    List<DigestRow> sorted = new ArrayList<>(rows.values());
    sorted.sort(Comparator.comparingLong(row -> -row.counts().sumNanos));
    return sorted;
  }

  private static void add(Map<Key, DigestRow> rows, ShapeCount shape) {
    ShapeName.Digest digest = shape.name.digest();
    if (digest == null && shape.shape != null) {
      return; // no mysqld has named it yet
    }
    String hash = digest == null ? "" : digest.hash();
    DigestRow known = rows.get(new Key(shape.schema, hash));
    if (known == null) {
      String text = digest == null ? "" : digest.text();
      rows.put(new Key(shape.schema, hash), new DigestRow(hash, text, shape));
    } else {
      known.counts().add(shape);
    }
  }

  /** Forgets all that was counted. Blocking. */
  public void clear() {
    tables.forEach((loop, table) ->
        wait(
            loop,
            () -> {
              table.clear();
              return true;
            },
            false));
  }

  private static <T> T wait(EventLoop loop, java.util.concurrent.Callable<T> work, T otherwise) {
    try {
      Future<T> done = loop.submit(work);
      return done.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return otherwise;
    } catch (ExecutionException | RejectedExecutionException e) {
      log.warn("an event loop does not say what its statements were", e);
      return otherwise;
    } catch (TimeoutException e) {
      log.warn("an event loop has not said in {} s what its statements were", WAIT_SECONDS);
      return otherwise;
    }
  }
}
