package io.alrai.cn.statement;

import io.alrai.common.type.Collations;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.AdminStatement;
import java.util.List;

/** Runs queries whose rows the CN itself needs. Called on virtual threads. Thread-safe. */
public interface QueryReader {
  /**
   * The first rows of a result.
   *
   * @param rows in the text protocol's form
   */
  record Rows(List<ColumnDefinition> columns, List<byte[]> rows) {
    public Rows {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }
  }

  /**
   * Runs a query inside the session's transaction. Its warnings are the session's diagnostics then.
   *
   * @param most how many rows are wanted at most
   * @throws io.alrai.common.error.AlraiException the query's error
   */
  Rows read(StatementRun run, Plan.Select select, int most);

  /**
   * Runs a SELECT that assigns, and answers the client.
   *
   * @throws io.alrai.common.error.AlraiException the query's error; 1235 where it takes several
   *     places
   */
  void assign(StatementRun run, AdminStatement.AssigningSelect statement, Collations collations);

  /**
   * Runs it without an answer to the client.
   *
   * @param most how many rows are wanted at most; all are read
   */
  Rows read(
      StatementRun run, AdminStatement.AssigningSelect statement, Collations collations, int most);
}
