package io.alrai.cn.system;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.variable.KnownStatus;
import io.alrai.cn.variable.StatusList;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.JsonString;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.dn.link.BackendAccount;
import io.alrai.optimizer.api.token.TokenCursor;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * SHOW STATUS, performance_schema.global_status and session_status as queries over values of the
 * cluster: the CN's own, sums and largest ones of the DNs, as {@link KnownStatus} says. A DN that
 * is away is left out. One statement; blocks.
 */
final class ClusterStatus {
  private static final Sql GLOBAL = Sql.of("SHOW GLOBAL STATUS");
  private static final Sql OF_SESSION = Sql.of("SHOW SESSION STATUS");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  private final CnParts parts;
  private final Session session;

  /** Those of the mysqld's rows that were read last. */
  private List<ColumnDefinition> columns = List.of();

  ClusterStatus(CnParts parts, Session session) {
    this.parts = parts;
    this.session = session;
  }

  /**
   * SHOW STATUS as a query.
   *
   * @param show after SHOW
   * @return empty for other statements
   */
  Optional<String> ofShow(TokenCursor show) {
    boolean global = show.take("GLOBAL");
    if (!global && !show.take("SESSION")) {
      show.take("LOCAL");
    }
    if (!show.take("STATUS")) {
      return Optional.empty();
    }
    String condition = TableStatus.condition(show, "Variable_name");
    String name = global ? "global_status" : "session_status";
    return Optional.of(
        "SELECT * FROM (SELECT VARIABLE_NAME AS Variable_name,VARIABLE_VALUE AS Value FROM ("
            + rows(global)
            + ") AS own) AS "
            + name
            + condition);
  }

  /** What a mysqld says of the columns of SHOW STATUS, after {@link #ofShow}. */
  List<ColumnDefinition> columns() {
    return columns;
  }

  /** The rows of a table of performance_schema; empty for others. */
  Optional<String> of(String table) {
    return switch (table.toLowerCase(Locale.ROOT)) {
      case "global_status" -> Optional.of(rows(true));
      case "session_status" -> Optional.of(rows(false));
      default -> Optional.empty();
    };
  }

  private String rows(boolean global) {
    StringBuilder json = new StringBuilder("[");
    values(global)
        .forEach((name, value) -> {
          json.append(json.length() == 1 ? "[" : ",[");
          JsonString.append(json, name);
          json.append(',');
          JsonString.append(json, value);
          json.append(']');
        });
    return "SELECT VARIABLE_NAME,VARIABLE_VALUE FROM JSON_TABLE("
        + SystemRows.string(json.append(']').toString())
        + ",_utf8mb4'$[*]' COLUMNS("
        + "VARIABLE_NAME VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci"
        + " PATH _utf8mb4'$[0]',"
        + "VARIABLE_VALUE VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci"
        + " PATH _utf8mb4'$[1]')) AS v";
  }

  /** In the order of a mysqld's, with the CN's own by name among them. */
  Map<String, String> values(boolean global) {
    Map<String, String> own = new OwnStatus(parts.metrics(), parts.sessions()).of(session, global);
    List<Map<String, String>> ofDns = ask(GLOBAL, parts.queries().links().dns());
    List<DnId> one = parts.queries().links().dns().subList(0, 1);
    List<Map<String, String>> named = global ? ofDns : ask(OF_SESSION, one);
    Map<String, String> shown = named.isEmpty() ? Map.of() : named.getFirst();
    Map<String, String> values = new LinkedHashMap<>();
    TreeMap<String, String> left = new TreeMap<>(own);
    left.keySet().removeAll(shown.keySet());
    left.keySet().removeIf(name -> !name.startsWith("Alrai_"));
    shown.forEach((name, first) -> {
      while (!left.isEmpty() && left.firstKey().compareToIgnoreCase(name) < 0) {
        Map.Entry<String, String> next = left.pollFirstEntry();
        values.put(next.getKey(), next.getValue());
      }
      values.put(name, value(name, first, own, ofDns));
    });
    values.putAll(left);
    return values;
  }

  private static String value(
      String name, String first, Map<String, String> own, List<Map<String, String>> ofDns) {
    StatusList list = KnownStatus.of(name);
    if (list == StatusList.OWN) {
      return own.getOrDefault(name, none(first));
    }
    String merged = null;
    for (Map<String, String> dn : ofDns) {
      String next = dn.get(name);
      if (next != null) {
        merged = merged == null ? next : merged(merged, next, list);
      }
    }
    return merged == null ? first : merged;
  }

  /** What nobody counts. */
  private static String none(String shown) {
    if (!isNumber(shown)) {
      return "";
    }
    return shown.contains(".") ? "0.000000" : "0";
  }

  /** Of two values; of texts the greater one. */
  static String merged(String a, String b, StatusList list) {
    if (!isNumber(a) || !isNumber(b)) {
      return a.compareTo(b) < 0 ? b : a;
    }
    BigDecimal one = new BigDecimal(a);
    BigDecimal other = new BigDecimal(b);
    return (list == StatusList.SUM ? one.add(other) : one.max(other)).toPlainString();
  }

  private static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /** What those say that can be asked. */
  private List<Map<String, String>> ask(Sql sql, List<DnId> dns) {
    List<ShardCall> calls = new ArrayList<>();
    List<Map<String, String>> answers = new ArrayList<>();
    try {
      for (DnId dn : dns) {
        calls.add(parts.queries().start(dn, BackendAccount.SHADOW, "", sql));
      }
      for (ShardCall call : calls) {
        TableFigures.reached(() -> read(call)).ifPresent(answers::add);
      }
    } finally {
      calls.forEach(ShardCall::close);
    }
    return answers;
  }

  private Map<String, String> read(ShardCall call) {
    columns = call.columns();
    Map<String, String> values = new LinkedHashMap<>();
    byte[] row;
    while ((row = call.nextRow()) != null) {
      List<@Nullable String> cells = ShardQueries.texts(row, columns.size());
      values.put(text(cells.get(0)), text(cells.get(1)));
    }
    call.status();
    return values;
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
