package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement.NewColumnIndex;
import java.util.List;

/** What a column index must be like. Stateless. */
public final class ColumnIndexRules {
  private ColumnIndexRules() {}

  /**
   * The columns that it names are there.
   *
   * @throws AlraiException ER_KEY_COLUMN_DOES_NOT_EXITS
   */
  public static void columns(NewColumnIndex index, Table table) {
    for (String column : index.columns()) {
      if (table.column(column).isEmpty()) {
        throw new AlraiException(
            ErrorCode.ER_KEY_COLUMN_DOES_NOT_EXITS,
            "Key column '" + column + "' doesn't exist in table");
      }
    }
  }

  /**
   * The table with it.
   *
   * @param text the table's other keys
   * @param job that makes it
   * @throws AlraiException ER_DUP_KEYNAME
   */
  public static Table named(NewColumnIndex index, Table table, TableText text, long job) {
    if (text.keys().keySet().stream().anyMatch(index.name()::equalsIgnoreCase)) {
      throw duplicate(index);
    }
    return table.withColumnIndexes(
        List.of(new ColumnIndexDefinition(index.name(), index.columns(), job)));
  }

  /** There is a key of its name. */
  public static AlraiException duplicate(NewColumnIndex index) {
    return new AlraiException(
        ErrorCode.ER_DUP_KEYNAME, "Duplicate key name '" + index.name() + "'");
  }

  /** The warnings about clauses that have no effect. */
  public static List<SqlWarning> warnings(NewColumnIndex index) {
    return index.partitioned()
        ? List.of(
            SqlWarning.note(
                ErrorCode.ER_NOT_SUPPORTED_YET.errno(),
                "PARTITION BY is ignored: a column index has the partitions of its table"))
        : List.of();
  }
}
