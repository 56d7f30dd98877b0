package io.alrai.columnar.delta;

import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.segment.Slab;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;

/**
 * Finds the place of a row by the hash of its key. Eight bytes for each slot, at most three of four
 * slots in use, off the heap. Belongs to one thread at a time.
 *
 * <pre>
 *  slot: | hash 32 | place 32 |     0: empty; a place is never 0
 * </pre>
 *
 * Open addressing; a removed entry is filled by those after it, so that there are no tombstones.
 */
public final class KeyIndex implements AutoCloseable {
  /** The place of a row that is not there. */
  public static final int NONE = 0;

  private static final long FIRST_SLOTS = 1_024;

  private final MemoryBudget budget;
  private Slab slab;
  private MemorySegment slots;
  private long mask;
  private long size;

  /**
   * An empty index.
   *
   * @throws io.alrai.common.error.AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public KeyIndex(MemoryBudget budget) {
    this.budget = budget;
    slab = new Slab(budget);
    slots = slab.allocate(FIRST_SLOTS * Long.BYTES);
    mask = FIRST_SLOTS - 1;
  }

  /** How many rows it knows. */
  public long size() {
    return size;
  }

  /** What it takes of the budget. */
  public long bytes() {
    return slab.bytes();
  }

  private long at(long slot) {
    return slots.getAtIndex(ValueLayout.JAVA_LONG, slot);
  }

  private void set(long slot, long entry) {
    slots.setAtIndex(ValueLayout.JAVA_LONG, slot, entry);
  }

  private long home(long entry) {
    return (entry >>> 32) & mask;
  }

  private static long entry(int hash, int place) {
    return (long) hash << 32 | Integer.toUnsignedLong(place);
  }

  /** The slot of the entry that satisfies, or -1. */
  private long slotOf(int hash, IntPredicate isIt) {
    for (long slot = Integer.toUnsignedLong(hash) & mask; at(slot) != 0; slot = slot + 1 & mask) {
      long entry = at(slot);
      if ((int) (entry >>> 32) == hash && isIt.test((int) entry)) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * The place of a row, or {@link #NONE}.
   *
   * @param isIt whether the row at a place has the key; asked for those with the same hash
   */
  public int find(int hash, IntPredicate isIt) {
    long slot = slotOf(hash, isIt);
    return slot < 0 ? NONE : (int) at(slot);
  }

  /**
   * Notes a new row, whose key must not be there.
   *
   * @throws io.alrai.common.error.AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public void put(int hash, int place) {
    if ((size + 1) * 4 > (mask + 1) * 3) {
      grow();
    }
    insert(entry(hash, place));
    size++;
  }

  private void insert(long entry) {
    long slot = home(entry);
    while (at(slot) != 0) {
      slot = slot + 1 & mask;
    }
    set(slot, entry);
  }

  private void grow() {
    Slab oldSlab = slab;
    MemorySegment old = slots;
    long oldSlots = mask + 1;
    Slab larger = new Slab(budget);
    slots = larger.allocate(2 * oldSlots * Long.BYTES);
    slab = larger;
    mask = 2 * oldSlots - 1;
    for (long slot = 0; slot < oldSlots; slot++) {
      long entry = old.getAtIndex(ValueLayout.JAVA_LONG, slot);
      if (entry != 0) {
        insert(entry);
      }
    }
    oldSlab.close();
  }

  /** The row is at another place now; nothing happens if it is no longer where it was. */
  public void move(int hash, int from, int to) {
    long slot = slotOf(hash, place -> place == from);
    if (slot >= 0) {
      set(slot, entry(hash, to));
    }
  }

  /** Forgets a row. */
  public void remove(int hash, int place) {
    long hole = slotOf(hash, candidate -> candidate == place);
    if (hole < 0) {
      throw new IllegalStateException("no entry for place " + place);
    }
    size--;
    for (long next = hole + 1 & mask; at(next) != 0; next = next + 1 & mask) {
      // an entry may fill the hole if its home is not after the hole
      if ((next - home(at(next)) & mask) >= (next - hole & mask)) {
        set(hole, at(next));
        hole = next;
      }
    }
    set(hole, 0);
  }

  @Override
  public void close() {
    slab.close();
  }
}
