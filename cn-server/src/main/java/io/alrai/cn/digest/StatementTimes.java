package io.alrai.cn.digest;

import io.alrai.cn.session.StatementPath;
import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How long the statements of all clients took, by what they do and which way they took. */
public final class StatementTimes {
  private static final int PATHS = StatementPath.values().length;

  /** By kind and path; null where a kind never takes that path. */
  private final @Nullable Latency[] times = new @Nullable Latency[Kind.values().length * PATHS];

  private enum Kind {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    DDL,
    ADMIN;

    /** Whether it works on rows; others take one path. */
    boolean overRows() {
      return compareTo(DDL) < 0;
    }
  }

  public StatementTimes(Metrics metrics) {
    for (Kind kind : Kind.values()) {
      for (StatementPath path : StatementPath.values()) {
        if (kind.overRows() != (path == StatementPath.ADMIN)) {
          times[index(kind, path)] =
              metrics.latency(Metric.STATEMENT_TIMES, "kind", name(kind), "path", name(path));
        }
      }
    }
  }

  private static int index(Kind kind, StatementPath path) {
    return kind.ordinal() * PATHS + path.ordinal();
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /**
   * A statement has ended.
   *
   * @param work what it did; null where it was no statement
   */
  void ended(@Nullable Work work, StatementPath path, long nanos) {
    Latency latency = of(work, path);
    if (latency != null) {
      latency.record(nanos);
    }
  }

  /**
   * There is a trace of it.
   *
   * @param trace its id
   * @param millis when it ended, since 1970
   */
  void traced(@Nullable Work work, StatementPath path, long nanos, String trace, long millis) {
    Latency latency = of(work, path);
    if (latency != null) {
      latency.exemplar(nanos, trace, millis);
    }
  }

  private @Nullable Latency of(@Nullable Work work, StatementPath path) {
    Kind kind = kind(work);
    return times[index(kind, kind.overRows() ? path : StatementPath.ADMIN)];
  }

  private static Kind kind(@Nullable Work work) {
    return switch (work) {
      case null -> Kind.ADMIN;
      case Work.Data data ->
          switch (data.verb()) {
            case SELECT -> Kind.SELECT;
            case INSERT, REPLACE -> Kind.INSERT;
            case UPDATE -> Kind.UPDATE;
            case DELETE -> Kind.DELETE;
          };
      case Work.Administrative(AdminStatement.Ddl _) -> Kind.DDL;
      case Work.Administrative _ -> Kind.ADMIN;
    };
  }
}
