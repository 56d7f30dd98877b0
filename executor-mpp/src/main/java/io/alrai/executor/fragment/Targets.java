package io.alrai.executor.fragment;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import java.util.List;

/**
 * Which partition groups a statement touches. Slots are the literals and parameters of the
 * statement in text order, see {@link SlotValues}.
 */
public sealed interface Targets {
  /** Whether they are a session's temporary tables. */
  default boolean areOfSession() {
    return this instanceof One one && one.place().dn().equals(DnId.OF_SESSION);
  }

  /**
   * Rows whose key is one of some tuples.
   *
   * @param places all partition groups, by index
   * @param tuples each has one slot for every key column; one tuple for equality, several for IN. A
   *     value that cannot be routed exactly (another type than the column's) means all places.
   */
  record Keys(PartitionFunction function, List<ShardPlace> places, List<List<Integer>> tuples)
      implements Targets {
    public Keys {
      places = List.copyOf(places);
      tuples = tuples.stream().map(List::copyOf).toList();
    }
  }

  /** Every partition group of a table group. */
  record All(List<ShardPlace> places) implements Targets {
    public All {
      places = List.copyOf(places);
    }
  }

  /** Always this one: a SINGLE table. */
  record One(ShardPlace place) implements Targets {}

  /**
   * Any DN will do: broadcast tables only, or no table at all.
   *
   * @param physicalSchema the current schema to run under; NONE for any
   * @param tables whether there is a table
   */
  record AnyDn(PhysicalSchema physicalSchema, boolean tables) implements Targets {}

  /**
   * All DNs: a write to a broadcast table. The affected rows of one of them count.
   *
   * @param physicalSchema the current schema to run under
   */
  record EveryDn(PhysicalSchema physicalSchema) implements Targets {}
}
