package io.alrai.cn.analytic;

import io.alrai.cn.settings.SessionSettings;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a session's variables leave expressions the meaning that the analytical path gives them.
 * Only those that are known to do so pass.
 */
final class SessionFit {
  /** Variables without influence on the rows of a covered SELECT, or applied to its result. */
  private static final Set<String> HARMLESS =
      Set.of(
          "auto_increment_increment",
          "auto_increment_offset",
          "autocommit",
          "big_tables",
          "character_set_results",
          "cte_max_recursion_depth",
          "foreign_key_checks",
          "group_concat_max_len",
          "information_schema_stats_expiry",
          "innodb_lock_wait_timeout",
          "interactive_timeout",
          "join_buffer_size",
          "lc_messages",
          "lock_wait_timeout",
          "max_allowed_packet",
          "max_heap_table_size",
          "net_buffer_length",
          "net_read_timeout",
          "net_retry_count",
          "net_write_timeout",
          "optimizer_search_depth",
          "optimizer_switch",
          "profiling",
          "read_buffer_size",
          "read_rnd_buffer_size",
          "session_track_gtids",
          "session_track_schema",
          "session_track_state_change",
          "session_track_system_variables",
          "session_track_transaction_info",
          "sort_buffer_size",
          "sql_notes",
          "sql_quote_show_create",
          "sql_safe_updates",
          "sql_select_limit",
          "sql_warnings",
          "time_zone",
          "tmp_table_size",
          "transaction_isolation",
          "transaction_read_only",
          "unique_checks",
          "wait_timeout");

  /** Words of sql_mode that change no SELECT that is covered. */
  private static final Set<String> HARMLESS_MODES =
      Set.of(
          "",
          "ANSI_QUOTES",
          "ERROR_FOR_DIVISION_BY_ZERO",
          "NO_AUTO_VALUE_ON_ZERO",
          "NO_DIR_IN_CREATE",
          "NO_ENGINE_SUBSTITUTION",
          "NO_ZERO_DATE",
          "NO_ZERO_IN_DATE",
          "ONLY_FULL_GROUP_BY",
          "STRICT_ALL_TABLES",
          "STRICT_TRANS_TABLES");

  private static final String UTF8MB4 = "utf8mb4";

  private SessionFit() {}

  /**
   * Why a statement of the session goes to the row store, as a part of a sentence.
   *
   * @param text of the statement
   */
  static Optional<String> obstacle(SessionSettings settings, String text) {
    if (text.contains("/*+") && text.toUpperCase(Locale.ROOT).contains("SET_VAR")) {
      return Optional.of("the hint SET_VAR");
    }
    for (Map.Entry<String, String> variable : settings.literals().entrySet()) {
      if (!fits(variable.getKey(), variable.getValue().replace("'", ""))) {
        return Optional.of("the session's " + variable.getKey() + " = " + variable.getValue());
      }
    }
    return Optional.empty();
  }

  private static boolean fits(String name, String value) {
    return switch (name) {
      case "character_set_client", "character_set_connection" -> value.equalsIgnoreCase(UTF8MB4);
      case "collation_connection" -> value.equalsIgnoreCase(SessionSettings.DEFAULT_COLLATION);
      case "sql_mode" -> {
        for (String word : value.toUpperCase(Locale.ROOT).split(",", -1)) {
          if (!HARMLESS_MODES.contains(word.strip())) {
            yield false;
          }
        }
        yield true;
      }
      case "sql_big_selects" -> value.equals("1");
      default -> HARMLESS.contains(name);
    };
  }
}
