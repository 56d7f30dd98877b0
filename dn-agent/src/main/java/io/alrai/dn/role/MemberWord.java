package io.alrai.dn.role;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a member says to its leader, again and again.
 *
 * <pre>
 *  version u8 | applied s64 | unfit as UTF-8
 * </pre>
 *
 * @param applied up to which entry its mysqld has all transactions; -1 where that is not known
 * @param unfit why it must not lead; empty where it may
 */
record MemberWord(long applied, String unfit) {
  private static final byte VERSION = 1;

  /** Whether it may lead, and its mysqld follows. */
  boolean isFit() {
    return unfit.isEmpty() && applied >= 0;
  }

  byte[] encode() {
    byte[] text = unfit.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + Long.BYTES + text.length)
        .put(VERSION)
        .putLong(applied)
        .put(text)
        .array();
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when it is none, or of a later version
   */
  static MemberWord decode(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      byte version = in.get();
      if (version != VERSION) {
        throw new IllegalArgumentException("version " + version);
      }
      return new MemberWord(in.getLong(), StandardCharsets.UTF_8.decode(in).toString());
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(bytes.length + " bytes", e);
    }
  }
}
