package io.alrai.cn.tx;

/** What a statement does with the rows of tables. */
public enum RowAccess {
  /** It looks at none. */
  NONE,

  /** It reads rows as of its transaction's snapshot, where there is one. */
  CONSISTENT,

  /** It may lock or change rows, and reads current ones. */
  CURRENT;

  /** That of a data statement. */
  public static RowAccess of(boolean write) {
    return write ? CURRENT : CONSISTENT;
  }
}
