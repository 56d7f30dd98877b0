package io.alrai.cn.system;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.GroupLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What SHOW VARIABLES shows besides the rows of the mysqld: the variables that only Alrai has.
 * Which of them the statement's LIKE or WHERE wants is the mysqld's to say. Stateless.
 */
public final class OwnRows {
  private static final Pattern SHOW =
      Pattern.compile(
          "\\s*SHOW\\s+((?:GLOBAL|SESSION|LOCAL)\\s+)?VARIABLES(\\s+(LIKE|WHERE)\\b.*)?",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private OwnRows() {}

  /** A row and its name, as rows are ordered by. */
  public record Named(String name, byte[] row) {}

  /** Whether it shows global values. */
  public static boolean isGlobal(String sql) {
    Matcher show = SHOW.matcher(sql);
    return show.matches()
        && Optional.ofNullable(show.group(1)).orElse("").strip().equalsIgnoreCase("GLOBAL");
  }

  /** The rows that belong into the answer to the statement, ordered by name. */
  public static List<Named> wanted(String sql, Session session, ShardQueries queries, DnId dn) {
    Matcher show = SHOW.matcher(sql);
    if (!show.matches()) {
      return List.of();
    }
    String scope = Optional.ofNullable(show.group(1)).orElse("").strip();
    Map<String, String> all = variables(session, scope.equalsIgnoreCase("GLOBAL"));
    String condition = Optional.ofNullable(show.group(2)).orElse("").strip();
    boolean like = "LIKE".equalsIgnoreCase(show.group(3));
    Sql text = select(all).words(like ? " WHERE Variable_name " : " ").written(condition);
    List<Named> rows = new ArrayList<>();
    try (ShardCall call =
        queries.start(
            dn, BackendAccount.SHADOW, session.schema(), text, new ConcurrentLinkedQueue<>())) {
      call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        rows.add(new Named(key(row), row));
      }
      call.status();
    }
    return rows;
  }

  /** What a row of SHOW VARIABLES is ordered by. */
  public static String key(byte[] row) {
    return String.valueOf(ShardQueries.texts(row, 2).getFirst()).toLowerCase(Locale.ROOT);
  }

  private static Map<String, String> variables(Session session, boolean global) {
    Map<String, String> own = new TreeMap<>();
    boolean conflicts = global ? session.cnSettings().conflicts() : session.reads().conflicts();
    own.put(OwnVariables.CONFLICTS, conflicts ? "ON" : "OFF");
    long millis = global ? session.cnSettings().statementMillis() : session.own().statementMillis();
    own.put(OwnVariables.STATEMENT_TIMEOUT, Long.toString(millis));
    own.putAll(
        (global ? session.cnSettings().replicas() : session.reads().replicas().settings()).texts());
    own.put(OwnVariables.STATEMENT_DIGESTS, session.cnSettings().digests() ? "ON" : "OFF");
    own.put(OwnVariables.ROW_CACHE, session.cnSettings().rowCache() ? "ON" : "OFF");
    own.putAll(session.cnSettings().analytic().texts());
    for (GroupLimit limit : GroupLimit.values()) {
      own.put(limit.variable(), session.cnSettings().globals().limit(limit));
    }
    if (!global) {
      own.put(OwnVariables.SESSION_STAMP, Long.toString(session.reads().stamp()));
      own.put(OwnVariables.READ_CONSISTENCY, OwnVariables.readConsistency(session));
      own.put(OwnVariables.WORKLOAD_TYPE, OwnVariables.workloadType(session));
    }
    return own;
  }

  private static Sql select(Map<String, String> rows) {
    List<Sql> selects =
        rows.entrySet().stream()
            .map(row ->
                Sql.of("SELECT ")
                    .string(row.getKey())
                    .words(" COLLATE utf8mb4_general_ci AS Variable_name,")
                    .string(row.getValue())
                    .words(" AS Value"))
            .toList();
    return Sql.of("SELECT * FROM (")
        .add(Sql.join(" UNION ALL ", selects))
        .words(SystemRows.WHOLE + ") AS own");
  }
}
