package io.alrai.dn.raft;

/** A set of fingerprints: open addressing, half full at most. */
final class SeenStates {
  private long[] slots = new long[1 << 16];
  private int size;

  /** Whether it is new. */
  boolean add(long fingerprint) {
    if (size * 2 > slots.length) {
      long[] old = slots;
      slots = new long[old.length * 2];
      for (long each : old) {
        if (each != 0) {
          slots[slot(each)] = each;
        }
      }
    }
    int slot = slot(fingerprint);
    if (slots[slot] == fingerprint) {
      return false;
    }
    slots[slot] = fingerprint;
    size++;
    return true;
  }

  private int slot(long fingerprint) {
    int at = (int) fingerprint & slots.length - 1;
    while (slots[at] != 0 && slots[at] != fingerprint) {
      at = at + 1 & slots.length - 1;
    }
    return at;
  }

  int size() {
    return size;
  }
}
