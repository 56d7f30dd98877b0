package io.alrai.cn.gather;

import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.operator.RowSource;
import java.util.function.Supplier;

/** Where rows are copied so that a statement can run over them. One virtual thread. */
interface ScratchSite {
  /** Whether one statement can copy rows of that DN to here, outside a transaction. */
  boolean isAt(DnId dn);

  /** Adds the rows that a SELECT gives on that DN. */
  void addHere(GatherPlan.Source source, byte[] select);

  /** Adds rows of a table. */
  void add(GatherPlan.Source source, RowSource rows);

  /**
   * The distinct values, without NULL, of a column of a table that is {@link #filled}; in utf8mb4.
   *
   * @param most more than these need not be given
   */
  RowSource values(GatherPlan.KeyLink link, int most);

  /** Has shards give rows in the form in which they are added. */
  <T> T reading(Supplier<T> work);

  /** All rows of a table have been added. */
  void filled(GatherPlan.Source source);
}
