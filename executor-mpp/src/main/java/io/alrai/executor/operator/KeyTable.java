package io.alrai.executor.operator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from key bytes to values that finds without allocating; open addressing. Entries
 * keep the order in which they came. One thread.
 */
final class KeyTable<V> {
  /** An entry's heap besides the key's bytes and the value, in bytes. */
  static final int ENTRY_OVERHEAD = 72;

  private static final int FIRST_CAPACITY = 64;

  /** A key with its value. */
  static final class Entry<V> {
    private final byte[] key;
    private final int hash;
    private final V value;

    Entry(byte[] key, int hash, V value) {
      this.key = key;
      this.hash = hash;
      this.value = value;
    }

    /** Not to be changed. */
    byte[] key() {
      return key;
    }

    V value() {
      return value;
    }
  }

  private final List<Entry<V>> entries = new ArrayList<>();

  /** Index into {@code entries} plus one; 0 where free. */
  private int[] slots = new int[FIRST_CAPACITY];

  /** The value of an equal key; null where there is none. */
  @Nullable V find(GrowingBytes key) {
    int hash = hash(key.array(), key.length());
    int mask = slots.length - 1;
    for (int at = hash & mask; slots[at] != 0; at = at + 1 & mask) {
      Entry<V> entry = entries.get(slots[at] - 1);
      if (entry.hash == hash && key.compareTo(entry.key) == 0) {
        return entry.value;
      }
    }
    return null;
  }

  /** Adds a key that {@link #find} did not find; copies it. */
  void add(GrowingBytes key, V value) {
    entries.add(new Entry<>(key.copy(), hash(key.array(), key.length()), value));
    if (entries.size() * 2 > slots.length) {
      slots = new int[slots.length * 2];
      for (int i = 0; i < entries.size(); i++) {
        place(entries.get(i).hash, i);
      }
    } else {
      place(entries.getLast().hash, entries.size() - 1);
    }
  }

  private void place(int hash, int index) {
    int mask = slots.length - 1;
    int at = hash & mask;
    while (slots[at] != 0) {
      at = at + 1 & mask;
    }
    slots[at] = index + 1;
  }

  /** All entries in the order of their coming. */
  List<Entry<V>> entries() {
    return entries;
  }

  void clear() {
    entries.clear();
    slots = new int[FIRST_CAPACITY];
  }

  private static int hash(byte[] bytes, int length) {
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + bytes[i];
    }
    hash ^= hash >>> 15;
    hash *= 0x85ebca6b;
    return hash ^ hash >>> 13;
  }
}
