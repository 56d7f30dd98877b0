package io.alrai.cn.columnar;

import io.alrai.gms.api.Table;
import java.util.Optional;
import java.util.Set;

/**
 * What a plan wants of a table's rows.
 *
 * @param columns their names, as in the catalog; none for counting
 * @param condition SQL over the table's columns that every wanted row fulfils; rows for which it is
 *     not true are left out
 */
public record RowScan(Table table, Set<String> columns, Optional<String> condition) {
  public RowScan {
    columns = Set.copyOf(columns);
  }
}
