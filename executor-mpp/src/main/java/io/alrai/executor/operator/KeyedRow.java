package io.alrai.executor.operator;

/** A row's payload with the bytes that give its order. Neither array is to be changed. */
final class KeyedRow {
  private static final byte[] NOTHING = new byte[0];

  /** Of nothing. */
  static final KeyedRow NONE = new KeyedRow(NOTHING, NOTHING);

  private final byte[] key;
  private final byte[] row;

  KeyedRow(byte[] key, byte[] row) {
    this.key = key;
    this.row = row;
  }

  byte[] key() {
    return key;
  }

  byte[] row() {
    return row;
  }
}
