package io.alrai.cn.digest;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.StatementPath;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.slowlog.SlowFigures;
import io.alrai.cn.slowlog.SlowLog;
import io.alrai.cn.span.StatementSpans;
import io.alrai.cn.trace.SessionTrace;
import io.alrai.cn.trace.TraceStep;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ServerStatus;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.ParameterSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The statement that a client has at work: when it began, what is known of it, and its end, where
 * it is counted. One for each client, used for one statement after the other. The client's event
 * loop only.
 */
public final class MeasuredStatement {
  private static final byte[] NONE = {};

  private final Session session;
  private final DigestTable table;
  private final StatementDigests digests;
  private final LongSupplier nanoTime;
  private final @Nullable StatementSpans spans;
  private final SessionTrace.Branches open;
  private @Nullable String parent;
  private final StatementEnd end = new StatementEnd();
  private boolean atWork;
  private long startNanos;
  private @Nullable ShapeCount shape;
  private @Nullable Work work;
  private boolean failed;
  private String schema = "";
  private ParameterSource parameters = ParameterSource.NONE;

  MeasuredStatement(
      Session session, DigestTable table, StatementDigests digests, LongSupplier nanoTime) {
    this.session = session;
    this.table = table;
    this.digests = digests;
    this.nanoTime = nanoTime;
    this.spans = digests.spans();
    this.open = to -> session.transaction().eachBranch(to);
  }

  /**
   * A statement begins.
   *
   * @param sql its text, which stays as it is until it ends
   */
  public void begins(byte[] sql, int length) {
    ends();
    atWork = true;
    startNanos = nanoTime.getAsLong();
    shape = null;
    work = null;
    failed = false;
    schema = session.schema();
    end.sql = sql;
    end.length = length;
    end.sent = 0;
    end.noIndex = false;
    session.last().path(StatementPath.PINNED);
    if (spans != null) {
      session.trace().begins(nanoTime, startNanos, open);
    }
  }

  /** Whether spans are made of statements. */
  public boolean becomesSpan() {
    return spans != null;
  }

  /**
   * The next statement has a query attribute.
   *
   * @param traceparent its value; null for none
   */
  public void parent(@Nullable String traceparent) {
    parent = traceparent;
  }

  /** It is known to be a statement; its shape need not last. */
  public void scanned(ShapedStatement statement) {
    if (atWork && digests.on()) {
      shape = table.find(statement, schema);
    }
  }

  /** What it has done at the DNs is recorded. */
  public void traced() {
    if (!session.trace().records()) {
      session.trace().begins(nanoTime, nanoTime.getAsLong(), open);
    }
    session.trace().shows();
  }

  /** What stands for its parameter markers. */
  public void bound(ParameterSource values) {
    parameters = values;
  }

  /** What it does. */
  public void planned(Work does) {
    work = does;
    session.last().path(does instanceof Work.Data ? StatementPath.SCATTER : StatementPath.ADMIN);
  }

  /** What a mysqld calls its shape; null where that is not known, or not yet. */
  public @Nullable String digest() {
    ShapeCount counted = shape;
    ShapeName.Digest known = counted == null ? null : counted.name.digest();
    return known == null ? null : known.hash();
  }

  /** Its client got rows. */
  public void sent(long rows) {
    if (rows > 0) {
      end.sent += rows;
    }
  }

  /**
   * Its client got a mysqld's answer.
   *
   * @param rows that it got; negative for no result
   * @param ok the end of the answer
   */
  public void sent(long rows, OkPacket ok) {
    sent(rows);
    end.noIndex |= (ok.status() & ServerStatus.NO_INDEX_USED) != 0;
  }

  /** Its client has left, and nobody waits for its end. */
  public void left() {
    if (atWork) {
      ends(ErrorCode.ER_QUERY_INTERRUPTED.errno());
    }
  }

  /** Its client gets an error, which is the session's diagnostics when it ends. */
  public void failed() {
    failed = true;
  }

  /** It has ended; without effect where none is at work. */
  public void ends() {
    if (atWork) {
      ends(failed ? errno(session.last().diagnostics()) : 0);
    }
  }

  private void ends(int errno) {
    atWork = false;
    session.transaction().held().leaveTurns();
    end.nanos = Math.max(0, nanoTime.getAsLong() - startNanos);
    digests.times().ended(work, session.last().path(), end.nanos);
    end.errno = errno;
    end.warnings = errno == 0 ? session.last().diagnostics().warningCount() : 0;
    end.affected = errno == 0 && writes() ? Math.max(0, session.last().rowCount()) : 0;
    ShapeCount counted = shape;
    if (counted != null && end.errno != ErrorCode.ER_PARSE_ERROR.errno()) {
      end.mode = session.variables().lexicalMode();
      end.startMillis = digests.wallMillis() - end.nanos / 1_000_000;
      counted.add(end);
    }
    if (end.nanos > session.own().longQueryNanos() && errno != ErrorCode.ER_PARSE_ERROR.errno()) {
      slow();
    }
    if (session.trace().records()) {
      recorded(errno);
    }
    shape = null;
    parameters = ParameterSource.NONE;
    end.sql = NONE;
    end.length = 0;
  }

  private void recorded(int errno) {
    boolean slow = end.nanos > session.own().longQueryNanos();
    StatementSpans.Chosen chosen =
        spans == null ? null : spans.choose(end.sql, end.length, parent, slow);
    parent = null;
    if (chosen == null && !session.trace().isShown()) {
      session.trace().drops(open);
      return;
    }
    List<TraceStep> steps =
        session.trace().ends(end.sql, end.length, path(), end.sent, error(errno), open);
    if (spans != null && chosen != null) {
      long millis = digests.wallMillis();
      StatementSpans.End ended =
          new StatementSpans.End(millis, schema, path(), end.nanos, end.sent, errno);
      String trace = spans.ended(session, end.sql, end.length, chosen, ended, steps);
      digests.times().traced(work, session.last().path(), end.nanos, trace, millis);
    }
  }

  private String path() {
    return session.last().path().name();
  }

  private String error(int errno) {
    return errno == 0 ? "" : "error " + errno;
  }

  private void slow() {
    SlowLog log = digests.slowLog();
    if (log.counts(session, work)) {
      log.write(
          session,
          end.sql,
          end.length,
          parameters,
          schema,
          digests.wallMillis(),
          end.nanos,
          new SlowFigures(
              end.sent, end.affected, end.warnings, end.errno, session.last().lastInsertId()));
    }
  }

  private boolean writes() {
    return work instanceof Work.Data data && data.verb() != Planned.Verb.SELECT;
  }

  private static int errno(Diagnostics said) {
    for (Diagnostics.Condition condition : said.conditions()) {
      if (condition.level().equals("Error")) {
        return condition.code();
      }
    }
    return ErrorCode.ER_UNKNOWN_ERROR.errno();
  }
}
