package io.alrai.cn.digest;

import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;

/**
 * A statement for which a mysqld is asked its digest: one that it can parse, with short literals
 * where it does not matter what they say.
 *
 * @param sql the statement
 * @param shape what it is called where no mysqld knows such a statement
 * @param mode in which it is read
 */
record DigestQuestion(String sql, String shape, LexicalMode mode) {
  /** Literals beyond that are not sent. */
  private static final int MOST_LITERAL = 64;

  /** Digests say no more than that there are several. */
  private static final int MOST_ROWS = 2;

  /** Longer statements are cut, and so named by Alrai. */
  private static final int MOST_BYTES = 256 << 10;

  /** The question for a shape, by a statement of it. */
  static DigestQuestion of(ShapedText text) {
    String sql = text.textBytes().length == 0 ? text.shape() : shortened(text);
    return new DigestQuestion(
        sql.substring(0, Math.min(sql.length(), MOST_BYTES)), cut(text.shape()), text.mode());
  }

  private static String cut(String shape) {
    return shape.substring(0, Math.min(shape.length(), ShapeCount.MOST_SAMPLE));
  }

  private static String shortened(ShapedText text) {
    byte[] bytes = text.textBytes();
    StringBuilder sql = new StringBuilder();
    int from = 0;
    int rows = text.foldedRows();
    int leftOut = rows > MOST_ROWS ? text.rowEnd(MOST_ROWS - 1) : bytes.length;
    int behind = rows > MOST_ROWS ? text.rowEnd(rows - 1) : bytes.length;
    for (int slot = 0; slot < text.slotCount(); slot++) {
      int start = text.slotStart(slot);
      int end = text.slotEnd(slot);
      if (from <= leftOut && start >= leftOut && start < behind) {
        sql.append(new String(bytes, from, leftOut - from, text.mode().charset()));
        from = behind;
      }
      boolean marker = text.parameter(slot) >= 0;
      if (start >= from && (marker || isLongString(bytes, start, end))) {
        sql.append(new String(bytes, from, start - from, text.mode().charset()));
        sql.append(marker ? "0" : "'x'");
        from = end;
      }
    }
    return sql.append(new String(bytes, from, bytes.length - from, text.mode().charset()))
        .toString();
  }

  private static boolean isLongString(byte[] bytes, int start, int end) {
    return end - start > MOST_LITERAL && bytes[start] == '\'';
  }
}
