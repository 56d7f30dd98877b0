package io.alrai.executor.operator;

/**
 * The key of a source's current row, as far as it was needed: most keys differ in their first
 * bytes. One thread.
 */
final class SortedKey {
  private final GrowingBytes bytes = new GrowingBytes(2 * KeyEncoder.HEAD_BYTES);
  private boolean whole;

  /** Takes the head of the row's key. */
  void head(KeyEncoder encoder, Row row) {
    bytes.clear();
    whole = encoder.encodeHead(row, bytes);
  }

  /** Takes the whole key of a row whose head was taken. */
  void complete(KeyEncoder encoder, Row row) {
    if (!whole) {
      bytes.clear();
      encoder.encode(row, bytes);
      whole = true;
    }
  }

  /** The part of the key that was taken. */
  GrowingBytes bytes() {
    return bytes;
  }

  /** Whether that is the whole key. */
  boolean isWhole() {
    return whole;
  }

  /** Whether {@link #compareTo} is the order of the whole keys. */
  boolean decides(SortedKey other) {
    return whole && other.whole || bytes.differsWithin(other.bytes);
  }

  int compareTo(SortedKey other) {
    return bytes.compareTo(other.bytes);
  }
}
