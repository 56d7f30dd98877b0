package io.alrai.cn.route;

import io.alrai.common.type.AsciiWeights;
import org.jspecify.annotations.Nullable;

/**
 * What decides which strings are equal: the bytes of WEIGHT_STRING under a collation. Thread-safe.
 */
public interface CollationWeights {
  /**
   * The weights of ASCII strings, if they are known by now and a string's weights are those of its
   * characters, one after the other. Never blocks.
   */
  @Nullable AsciiWeights known(String collation);

  /**
   * Asks a mysqld once per collation for what {@link #known} then gives; blocks.
   *
   * @param charset the collation's character set
   */
  void learn(String charset, String collation);

  /**
   * The weights of any string; blocks while a mysqld is asked.
   *
   * @param text bytes in {@code textCharset}
   * @param charset the collation's character set
   * @return null when the text has characters that the character set does not have
   */
  byte @Nullable [] ask(byte[] text, String textCharset, String charset, String collation);

  /**
   * A text in another character set; blocks while a mysqld is asked.
   *
   * @return null when it has characters that the other set does not have
   */
  byte @Nullable [] convert(byte[] text, String from, String to);
}
