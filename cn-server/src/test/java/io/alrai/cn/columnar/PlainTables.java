package io.alrai.cn.columnar;

import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.List;

/** Tables for tests that look at their names only. */
public final class PlainTables {
  private PlainTables() {}

  /** Table {@code s.t}, without columns, in one place. */
  public static Table table(ColumnIndexDefinition... indexes) {
    return new Table(
        1,
        "s",
        "t",
        List.of(),
        List.of(),
        List.of(),
        false,
        new Partitioning.Single(),
        1,
        List.of(indexes),
        List.of(),
        false,
        false);
  }
}
