package io.alrai.cn.gather;

import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.operator.RowSource;
import java.util.function.Supplier;

/** Where rows are put that a statement then runs over. One virtual thread. */
interface ScratchSite {
  /** Whether rows of that DN, outside of a transaction, can be copied by one statement here. */
  boolean isAt(DnId dn);

  /** Adds what a SELECT gives of that DN. */
  void addHere(GatherPlan.Source source, byte[] select);

  /** Adds rows of a table. */
  void add(GatherPlan.Source source, RowSource rows);

  /**
   * The different values but NULL of a column of a table that is {@link #filled}, in utf8mb4.
   *
   * @param most more than these need not be given
   */
  RowSource values(GatherPlan.KeyLink link, int most);

  /** Has shards give rows as they are to be added. */
  <T> T reading(Supplier<T> work);

  /** All rows of a table are there. */
  void filled(GatherPlan.Source source);
}
