package io.alrai.cn.route;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.common.type.Collations;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.InsertRows.RowPattern;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.executor.fragment.Targets;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From the values of a statement to the places it touches. Thread-safe. What says that it never
 * blocks may be called on event loops.
 */
public final class Router {
  /** The value cannot be routed exactly. */
  public static final int UNKNOWN = -1;

  private final CollationWeights weights;
  private final Collations collations;
  private final SequenceLevels sequences;
  private final StringKeys quick;

  /**
   * A router.
   *
   * @param weights decide which strings are equal
   * @param collations what the mysqlds know
   * @param sequences tell which AUTO_INCREMENT ids may be given without raising a sequence
   */
  public Router(CollationWeights weights, Collations collations, SequenceLevels sequences) {
    this.weights = weights;
    this.collations = collations;
    this.sequences = sequences;
    this.quick = new StringKeys(weights, collations, "", false);
  }

  /** How far this CN knows sequences to have come. Thread-safe, never blocks. */
  public interface SequenceLevels {
    /** Whether the sequence surely gives only numbers above {@code id} from now on. */
    boolean isAbove(String sequence, long id);
  }

  /**
   * The one place that a statement touches, or null when there are several or that is not known
   * without asking. Never blocks.
   */
  public @Nullable ShardPlace single(Targets targets, SlotValues values) {
    return switch (targets) {
      case Targets.One one -> one.place();
      case Targets.All all -> all.places().size() == 1 ? all.places().getFirst() : null;
      case Targets.Keys keys -> {
        int found = UNKNOWN;
        for (int i = 0; i < keys.tuples().size(); i++) {
          int index = index(keys.function(), values, keys.tuples().get(i), Use.MATCH, quick);
          if (index == UNKNOWN || (found != UNKNOWN && found != index)) {
            yield keys.places().size() == 1 ? keys.places().getFirst() : null;
          }
          found = index;
        }
        yield found == UNKNOWN ? null : keys.places().get(found);
      }
      case Targets.AnyDn any -> null;
      case Targets.EveryDn every -> null;
    };
  }

  /**
   * The one place of an INSERT that may be forwarded as it came: verbatim, every id given and below
   * what the sequence has reached. Null when there are several, or that is not known without
   * asking. Never blocks.
   */
  public @Nullable ShardPlace single(InsertRows rows, SlotValues values, int foldedRows) {
    if (!rows.verbatim() || !(rows.placement() instanceof Placement.ByKey byKey)) {
      return null;
    }
    int patterns = rows.patterns().size();
    int count = patterns > 1 ? patterns : Math.max(1, foldedRows);
    int found = UNKNOWN;
    for (int row = 0; row < count; row++) {
      RowPattern pattern = rows.patterns().get(patterns > 1 ? row : 0);
      int shift = patterns > 1 ? 0 : row * rows.slotsPerRow();
      if (!idGiven(rows, pattern, values, shift)) {
        return null;
      }
      int index = storeIndex(byKey, pattern, values, shift, quick);
      if (index == UNKNOWN || (found != UNKNOWN && found != index)) {
        return null;
      }
      found = index;
    }
    return byKey.places().get(found);
  }

  private boolean idGiven(InsertRows rows, RowPattern pattern, SlotValues values, int shift) {
    if (rows.autoIncrement().isEmpty()) {
      return true;
    }
    InsertRows.AutoIncrement auto = rows.autoIncrement().get();
    if (auto.appended() || !(pattern.cells().get(auto.cell()) instanceof Cell.Slot slot)) {
      return false;
    }
    int at = slot.index() + shift;
    return values.kind(at) == Kind.INTEGER
        && values.fitsLong(at)
        && values.longValue(at) > 0
        && sequences.isAbove(auto.sequence(), values.longValue(at));
  }

  /**
   * All places of a statement, in order of their index; blocks where a mysqld must be asked about a
   * string.
   *
   * @param targets by key, one, or all
   * @param textCharset character set of the values
   */
  public List<ShardPlace> places(Targets targets, SlotValues values, String textCharset) {
    return switch (targets) {
      case Targets.One one -> List.of(one.place());
      case Targets.All all -> all.places();
      case Targets.Keys keys -> {
        StringKeys strings = new StringKeys(weights, collations, textCharset, true);
        List<ShardPlace> found = places(keys, values, strings);
        yield found == null ? keys.places() : found;
      }
      case Targets.AnyDn any -> List.of();
      case Targets.EveryDn every -> List.of();
    };
  }

  /** As {@link #places}; null where a mysqld must be asked. Never blocks. */
  public @Nullable List<ShardPlace> knownPlaces(Targets targets, SlotValues values) {
    return targets instanceof Targets.Keys keys
        ? places(keys, values, quick)
        : places(targets, values, "");
  }

  private @Nullable List<ShardPlace> places(
      Targets.Keys keys, SlotValues values, StringKeys strings) {
    BitSet found = new BitSet(keys.places().size());
    for (List<Integer> tuple : keys.tuples()) {
      int index = index(keys.function(), values, tuple, Use.MATCH, strings);
      if (index == UNKNOWN) {
        return null;
      }
      found.set(index);
    }
    return found.stream().mapToObj(keys.places()::get).toList();
  }

  /** Where rows that are to be stored go. One thread. */
  public final class Storing {
    private final PartitionFunction function;
    private final List<Integer> slots;
    private final StringKeys strings;

    private Storing(PartitionFunction function, List<Integer> slots, String textCharset) {
      this.function = function;
      this.slots = slots;
      this.strings = new StringKeys(weights, collations, textCharset, true);
    }

    /**
     * The index of a row, or {@link #UNKNOWN} when a mysqld must say first what its columns would
     * hold; blocks where a mysqld must be asked about a string.
     */
    public int index(SlotValues row) {
      return Router.index(function, row, slots, Use.STORE, strings);
    }
  }

  /**
   * For rows that are to be stored.
   *
   * @param slots at which slot of a row each key column stands
   * @param textCharset character set of the values
   */
  public Storing storing(PartitionFunction function, List<Integer> slots, String textCharset) {
    return new Storing(function, slots, textCharset);
  }

  /**
   * The index for values that a mysqld has stored in columns of the key's types.
   *
   * @param stored one slot for each key column, the first ones
   * @param textCharset character set of strings
   */
  public int indexOfStored(PartitionFunction function, SlotValues stored, String textCharset) {
    KeyHash hash = new KeyHash(Use.STORED);
    StringKeys strings = new StringKeys(weights, collations, textCharset, true);
    for (int i = 0; i < function.columns().size(); i++) {
      KeyColumn column = function.columns().get(i);
      if (!hash.add(column, stored, i, strings)) {
        return UNKNOWN;
      }
    }
    return finish(function, hash);
  }

  private static int storeIndex(
      Placement.ByKey byKey, RowPattern pattern, SlotValues values, int shift, StringKeys strings) {
    PartitionFunction function = byKey.function();
    List<Integer> cells = byKey.cells();
    if (cells.size() == 1 && cell(pattern, cells.getFirst()) instanceof Cell.Slot slot) {
      return single(function, values, slot.index() + shift, Use.STORE, strings);
    }
    KeyHash hash = new KeyHash(Use.STORE);
    for (int i = 0; i < cells.size(); i++) {
      KeyColumn column = function.columns().get(i);
      switch (cell(pattern, cells.get(i))) {
        case Cell.Slot slot -> {
          if (!hash.add(column, values, slot.index() + shift, strings)) {
            return UNKNOWN;
          }
        }
        case Cell.Null nothing -> {
          if (!hash.addNull(column)) {
            return UNKNOWN;
          }
        }
        case Cell.Default unknown -> {
          return UNKNOWN;
        }
        case Cell.Expression unknown -> {
          return UNKNOWN;
        }
      }
    }
    return finish(function, hash);
  }

  /** A key column that the statement leaves out has no cell, or one after the others. */
  private static Cell cell(RowPattern pattern, int index) {
    boolean there = index >= 0 && index < pattern.cells().size();
    return there ? pattern.cells().get(index) : new Cell.Default();
  }

  private static int index(
      PartitionFunction function,
      SlotValues values,
      List<Integer> slots,
      Use use,
      StringKeys strings) {
    if (slots.size() == 1) {
      return single(function, values, slots.getFirst(), use, strings);
    }
    KeyHash hash = new KeyHash(use);
    for (int i = 0; i < slots.size(); i++) {
      if (!hash.add(function.columns().get(i), values, slots.get(i), strings)) {
        return UNKNOWN;
      }
    }
    return finish(function, hash);
  }

  /** The hot path: a key of one column; nothing is allocated for an integer. */
  private static int single(
      PartitionFunction function, SlotValues values, int slot, Use use, StringKeys strings) {
    KeyColumn column = function.columns().getFirst();
    if (column.type().isInteger()
        && values.kind(slot) == Kind.INTEGER
        && values.fitsLong(slot)
        && IntegerKeys.exact(column, values.longValue(slot), use)) {
      long value = values.longValue(slot);
      return function.method() == PartitionFunction.Method.HASH
          ? Math.floorMod(value, function.count())
          : PartitionHash.index(value, function.count());
    }
    KeyHash hash = new KeyHash(use);
    return hash.add(column, values, slot, strings) ? finish(function, hash) : UNKNOWN;
  }

  private static int finish(PartitionFunction function, KeyHash hash) {
    return switch (function.method()) {
      case HASH -> hash.modulo(function.columns().getFirst(), function.count());
      case KEY -> PartitionHash.indexOf(hash.hash(), function.count());
    };
  }
}
