package io.alrai.cn.system;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Views of the schema sys over tables that only Alrai can fill: their own queries, as a mysqld has
 * them, over these tables. Blocking.
 *
 * @param queries statements outside of any session
 * @param sources the query for each schema and table; empty for those that a mysqld fills
 */
record SysViews(ShardQueries queries, BiFunction<String, String, Optional<String>> sources) {
  private static final Set<String> OVER_DIGESTS =
      Set.of(
          "statement_analysis",
          "statements_with_errors_or_warnings",
          "statements_with_full_table_scans",
          "statements_with_runtimes_in_95th_percentile",
          "statements_with_sorting",
          "statements_with_temp_tables",
          "ps_digest_95th_percentile_by_avg_us",
          "ps_digest_avg_latency_distribution");

  private static final String RAW = "x$";

  /** The query of a view; empty for others. */
  Optional<String> of(String view) {
    String name = view.toLowerCase(Locale.ROOT);
    String plain = name.startsWith(RAW) ? name.substring(RAW.length()) : name;
    return OVER_DIGESTS.contains(plain)
        ? definition(name)
            .map(text ->
                SystemTableText.with(text, new TokenCursor(text, false, false), "sys", sources))
        : Optional.empty();
  }

  private Optional<String> definition(String view) {
    Sql sql =
        Sql.of("SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA='sys'")
            .words(" AND TABLE_NAME=")
            .string(view);
    try (ShardCall call = queries.start(queries.links().any(), BackendAccount.ADMIN, "", sql)) {
      List<List<@Nullable String>> rows = ShardQueries.rows(call);
      return rows.isEmpty() ? Optional.empty() : Optional.ofNullable(rows.getFirst().getFirst());
    }
  }
}
