package io.alrai.cn.write;

import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The partition keys that rows are to get, by which these are looked for afterwards; where it is
 * not certain that the values were stored unchanged, all rows must be looked at. One thread.
 */
final class MovedKeys {
  private static final int MOST_KEYS = 1000;

  private final StatementRun run;
  private final List<KeyColumn> keys;
  private final int[] at;
  private final LiteralText literals;
  private final Set<String> conditions = new LinkedHashSet<>();
  private boolean exact;

  /**
   * Begins without rows.
   *
   * @param columns those of the rows
   * @param at at which of them each key column's new value stands
   * @param foreseen whether the rows' values are those that will be assigned
   */
  MovedKeys(
      StatementRun run,
      List<KeyColumn> keys,
      List<ColumnDefinition> columns,
      int[] at,
      boolean foreseen) {
    this.run = run;
    this.keys = keys;
    this.at = at;
    this.literals = SessionText.literals(run.session().variables());
    this.exact = foreseen && run.session().variables().settings().isStrict();
    for (int i = 0; i < keys.size(); i++) {
      exact &= isStoredAsItComes(columns.get(at[i]), keys.get(i));
    }
  }

  /** Under a strict mode. */
  private static boolean isStoredAsItComes(ColumnDefinition value, KeyColumn key) {
    return switch (value.type()) {
      case NULL -> true;
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT -> key.type().isInteger();
      case VARCHAR, CHAR, VARCHAR_OLD ->
          !key.charset().isEmpty()
              && !key.charset().equals("binary")
              && value.charsetId() != ColumnDefinition.BINARY_CHARSET
              && value.length() <= key.length();
      default -> false;
    };
  }

  /** Adds a row's key. */
  void add(List<ColumnDefinition> columns, Row row) {
    exact &= conditions.size() <= MOST_KEYS;
    if (!exact) {
      return;
    }
    ByteArrayOutputStream sql = new ByteArrayOutputStream(64);
    for (int i = 0; i < keys.size(); i++) {
      Sql column = (i == 0 ? Sql.EMPTY : Sql.of(" AND ")).name(keys.get(i).name()).words(" <=> ");
      sql.writeBytes(SessionText.encoded(run.session().variables(), column));
      literals.append(columns.get(at[i]), row, at[i], sql);
    }
    conditions.add(sql.toString(StandardCharsets.ISO_8859_1));
  }

  /**
   * A condition that finds every row that got a new key, ISO 8859-1 standing for bytes; empty where
   * only all rows are sure.
   */
  Optional<String> condition() {
    if (!exact || conditions.size() > MOST_KEYS) {
      return Optional.empty();
    }
    return Optional.of(conditions.isEmpty() ? "FALSE" : String.join(" OR ", conditions));
  }
}
