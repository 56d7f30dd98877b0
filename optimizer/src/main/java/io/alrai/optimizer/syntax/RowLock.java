package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Span;
import java.util.List;

/**
 * FOR UPDATE, FOR SHARE or LOCK IN SHARE MODE.
 *
 * @param shared whether others may lock the rows so too
 * @param tables the names after OF, without schemas; empty for all tables
 * @param onLocked what is done about rows that others have locked
 */
public record RowLock(Span span, boolean shared, List<String> tables, OnLocked onLocked) {
  public RowLock {
    tables = List.copyOf(tables);
  }

  /** What is done about rows that others have locked. */
  public enum OnLocked {
    /** They are waited for. */
    WAIT(""),
    /** Error 3572. */
    FAIL(" NOWAIT"),
    /** They are left out. */
    SKIP(" SKIP LOCKED");

    private final String sql;

    OnLocked(String sql) {
      this.sql = sql;
    }
  }

  /** Whether it is meant for what FROM calls by that name. */
  public boolean covers(String visibleName) {
    return tables.isEmpty() || tables.stream().anyMatch(visibleName::equalsIgnoreCase);
  }

  /** The clause for a query of one table, with a blank before it. */
  public String ofOneTable() {
    return (shared ? " FOR SHARE" : " FOR UPDATE") + onLocked.sql;
  }
}
