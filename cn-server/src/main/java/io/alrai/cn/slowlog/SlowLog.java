package io.alrai.cn.slowlog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one CN. Statements wait for the thread that writes them in a queue of {@value
 * #MOST_WAITING}, with {@value #MOST_WAITING_BYTES} bytes of text in all; the table has the last
 * {@value #MOST_ROWS}, with {@value #MOST_ROW_CHARACTERS} characters of text. Thread-safe.
 */
public final class SlowLog implements AutoCloseable {
  /** How many bytes of a statement are written. */
  public static final int MOST_TEXT = 64 << 10;

  /** How large a file grows. */
  static final long MOST_FILE_BYTES = 64L << 20;

  /** How many files there are, the one that is written among them. */
  static final int MOST_FILES = 5;

  static final int MOST_WAITING = 1024;
  static final int MOST_WAITING_BYTES = 8 << 20;
  static final int MOST_ROWS = 1000;
  static final int MOST_ROW_CHARACTERS = 4 << 20;

  private static final Logger log = LoggerFactory.getLogger(SlowLog.class);
  private static final long SAY_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String path;
  private final SlowLogFile file;
  private final Executor background;
  private final LongSupplier nanoTime;
  private final LongAdder slow;
  private final LongAdder lost;
  private final ArrayBlockingQueue<SlowStatement> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final AtomicBoolean reopening = new AtomicBoolean();
  private volatile SlowLogSettings settings = new SlowLogSettings(false, false, false);

  @GuardedBy("rows")
  private final ArrayDeque<SlowRow> rows = new ArrayDeque<>();

  @GuardedBy("rows")
  private long rowCharacters;

  /** Written by the thread that writes. */
  private boolean failing;

  private volatile long saidNanos;

  /**
   * A log that is off.
   *
   * @param background runs what writes; never two of them at a time
   * @param slow counts slow statements, whether they are written or not
   * @param lost counts those that should have been written and were not
   */
  SlowLog(
      SlowLogFile file,
      String path,
      Executor background,
      LongSupplier nanoTime,
      LongAdder slow,
      LongAdder lost) {
    this.file = file;
    this.path = path;
    this.background = background;
    this.nanoTime = nanoTime;
    this.slow = slow;
    this.lost = lost;
    this.saidNanos = nanoTime.getAsLong() - SAY_AGAIN_NANOS;
  }

  /**
   * The log of a CN, which is off: its file is {@code NAME-slow.log}.
   *
   * @param directory where the process keeps its files
   * @param version as clients are greeted
   * @param background runs what writes
   */
  public static SlowLog of(
      NodeId node, Path directory, String version, Executor background, Metrics metrics) {
    Path path = directory.resolve(node.name() + "-slow.log").toAbsolutePath();
    String header = SlowLogFormat.header(version + " (CN " + node.name() + ")");
    return new SlowLog(
        new SlowLogFile(path, header, MOST_FILE_BYTES, MOST_FILES),
        path.toString(),
        background,
        System::nanoTime,
        metrics.adder(Metric.SLOW_STATEMENTS),
        metrics.adder(Metric.SLOW_LOG_LOST));
  }

  /** Whether it is the table of slow statements, which TRUNCATE TABLE empties. */
  public static boolean isTable(TableName name, String currentSchema) {
    return name.schema().orElse(currentSchema).equalsIgnoreCase("mysql")
        && name.table().equalsIgnoreCase("slow_log");
  }

  /** Where the file is. */
  public String path() {
    return path;
  }

  /** How many statements were slow. */
  public long slow() {
    return slow.sum();
  }

  /** Follows the variables that the GMS keeps. */
  public void follow(Map<String, String> catalogSettings) {
    boolean before = settings.file();
    settings = SlowLogSettings.of(catalogSettings);
    if (before != settings.file()) {
      reopen();
    }
  }

  /**
   * A statement was slow.
   *
   * @param work what it did; null where it was no statement
   * @return whether it is to be written
   */
  public boolean counts(Session session, @Nullable Work work) {
    slow.increment();
    session.own().statements().slow();
    SlowLogSettings now = settings;
    return now.on() && (now.administrative() || !isAdministrative(work));
  }

  /** What MySQL writes with log_slow_admin_statements only. */
  private static boolean isAdministrative(@Nullable Work work) {
    if (!(work instanceof Work.Administrative(AdminStatement statement))) {
      return false;
    }
    return statement instanceof AdminStatement.TableMaintenance
        || statement instanceof AdminStatement.Ddl(DdlStatement ddl)
            && (ddl instanceof DdlStatement.AlterTable
                || ddl instanceof DdlStatement.CreateColumnIndex);
  }

  /**
   * Writes a statement of a session that has just ended, soon. Never blocks.
   *
   * @param sql its text, which is copied
   * @param parameters what stands for its markers
   * @param endMillis when it ended, since 1970
   */
  public void write(
      Session session,
      byte[] sql,
      int length,
      ParameterSource parameters,
      String schema,
      long endMillis,
      long nanos,
      SlowFigures figures) {
    LexicalMode mode = session.variables().lexicalMode();
    SlowText.Filled text = SlowText.of(sql, length, parameters, mode);
    ClientIdentity login = session.user().login();
    write(
        new SlowStatement(
            new SlowStatement.Client(
                session.client().connectionId(), login.user(), login.account(), login.host()),
            schema,
            endMillis * 1000 - nanos / 1000,
            nanos,
            figures,
            session.last().path(),
            text.text(),
            text.cut(),
            mode));
  }

  /** Writes a statement, soon. Never blocks. */
  void write(SlowStatement statement) {
    int bytes = statement.text().length;
    if (waitingBytes.addAndGet(bytes) > MOST_WAITING_BYTES || !waiting.offer(statement)) {
      waitingBytes.addAndGet(-bytes);
      lose("there are more than can be written", "");
      return;
    }
    begin();
  }

  /** FLUSH SLOW LOGS: opens the file anew, soon. */
  public void reopen() {
    reopening.set(true);
    begin();
  }

  private void begin() {
    if (writing.compareAndSet(false, true)) {
      background.execute(this::work);
    }
  }

  private void work() {
    try {
      drain();
    } finally {
      writing.set(false);
    }
    if (!waiting.isEmpty() || reopening.get()) {
      begin();
    }
  }

  private void drain() {
    if (reopening.getAndSet(false)) {
      try {
        if (settings.file()) {
          file.reopen();
        } else {
          file.close(); // who moves it away wishes to have it whole
        }
      } catch (IOException e) {
        say("it cannot be opened anew", e.toString());
      }
    }
    SlowStatement next;
    while ((next = waiting.poll()) != null) {
      waitingBytes.addAndGet(-next.text().length);
      try {
        write(next, next.shown());
      } catch (RuntimeException e) {
        lose("one cannot be written", e.toString());
      }
    }
  }

  private void write(SlowStatement statement, String text) {
    SlowLogSettings now = settings;
    if (now.table()) {
      keep(new SlowRow(statement.withoutText(), text));
    }
    if (!now.file()) {
      return;
    }
    try {
      file.append(SlowLogFormat.entry(statement, text));
      if (failing) {
        failing = false;
        log.info("the slow log {} is written again", path);
      }
    } catch (IOException e) {
      failing = true;
      lose("it cannot be written", e.toString());
    }
  }

  private void lose(String why, String reason) {
    lost.increment();
    say(why, reason);
  }

  /** One line a minute. */
  private void say(String why, String reason) {
    long now = nanoTime.getAsLong();
    if (now - saidNanos >= SAY_AGAIN_NANOS) {
      saidNanos = now;
      log.warn("the slow log {} lacks statements: {} {}", path, why, reason);
    }
  }

  private void keep(SlowRow row) {
    synchronized (rows) {
      rows.add(row);
      rowCharacters += row.text().length();
      while (rows.size() > MOST_ROWS || rowCharacters > MOST_ROW_CHARACTERS) {
        rowCharacters -= rows.remove().text().length();
      }
    }
  }

  /** The rows of mysql.slow_log, the oldest first. */
  public List<SlowRow> rows() {
    synchronized (rows) {
      return new ArrayList<>(rows);
    }
  }

  /** TRUNCATE TABLE mysql.slow_log. */
  public void clear() {
    synchronized (rows) {
      rows.clear();
      rowCharacters = 0;
    }
  }

  /** Closes the file, unless it is being written. */
  @Override
  public void close() {
    settings = new SlowLogSettings(false, false, false);
    if (writing.compareAndSet(false, true)) {
      try {
        file.close();
      } catch (IOException e) {
        log.warn("the slow log {} was not closed: {}", path, e.toString());
      }
    }
  }
}
