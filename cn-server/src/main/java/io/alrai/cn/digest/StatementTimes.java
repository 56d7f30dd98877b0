package io.alrai.cn.digest;

import io.alrai.cn.session.StatementPath;
import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long the statements of all clients took, by what they do and which way they took. */
public final class StatementTimes {
  private final Map<Kind, Map<StatementPath, Latency>> times = new EnumMap<>(Kind.class);

  private enum Kind {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    DDL,
    ADMIN
  }

  public StatementTimes(Metrics metrics) {
    for (Kind kind : Kind.values()) {
      Map<StatementPath, Latency> ofKind = new EnumMap<>(StatementPath.class);
      for (StatementPath path : StatementPath.values()) {
        if ((kind.compareTo(Kind.DDL) < 0) != (path == StatementPath.ADMIN)) {
          ofKind.put(
              path,
              metrics.latency(Metric.STATEMENT_TIMES, "kind", name(kind), "path", name(path)));
        }
      }
      times.put(kind, ofKind);
    }
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
    Kind kind = kind(work);
    Latency latency =
        times.get(kind).get(kind.compareTo(Kind.DDL) < 0 ? path : StatementPath.ADMIN);
    if (latency != null) {
      latency.record(nanos);
    }
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
