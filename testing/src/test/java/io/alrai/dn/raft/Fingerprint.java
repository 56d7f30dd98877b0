package io.alrai.dn.raft;

/** 64 bits that tell states apart. */
final class Fingerprint {
  private long value = 0x9E3779B97F4A7C15L;

  void add(int number) {
    value = (value ^ number) * 0xBF58476D1CE4E5B9L;
    value ^= value >>> 31;
    value *= 0x94D049BB133111EBL;
    value ^= value >>> 29;
  }

  /** Never 0. */
  long value() {
    return value == 0 ? 1 : value;
  }
}
