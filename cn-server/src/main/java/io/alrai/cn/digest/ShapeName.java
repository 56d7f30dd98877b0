package io.alrai.cn.digest;

import org.jspecify.annotations.Nullable;

/**
 * What a mysqld calls a shape: its digest. Asked for once, by a text of that shape. Written by
 * whoever asks; any thread may read.
 */
final class ShapeName {
  /** Of statements that have no room of their own. */
  static final ShapeName NONE = new ShapeName(null);

  /**
   * A digest.
   *
   * @param hash 64 hexadecimal digits
   * @param text the statement without its values
   */
  record Digest(String hash, String text) {}

  private volatile @Nullable DigestQuestion question;
  private volatile @Nullable Digest digest;

  ShapeName(@Nullable DigestQuestion question) {
    this.question = question;
  }

  /** What is still to be asked; null when it has been answered. */
  @Nullable DigestQuestion question() {
    return question;
  }

  /** Null until it is known. */
  @Nullable Digest digest() {
    return digest;
  }

  void become(Digest found) {
    digest = found;
    question = null;
  }
}
