package io.alrai.cn.branch;

/** What a statement does with the rows of tables. */
public enum RowAccess {
  /** It looks at no rows. */
  NONE,

  /** It reads rows as of its transaction's snapshot, where there is one. */
  CONSISTENT,

  /** It locks rows, and reads current ones. */
  LOCKING,

  /** It may change rows, and locks and reads current ones. */
  CHANGING;

  /** The access of a SELECT. */
  public static RowAccess ofSelect(boolean locking) {
    return locking ? LOCKING : CONSISTENT;
  }

  /** Whether it reads current rows. */
  public boolean current() {
    return this == LOCKING || this == CHANGING;
  }
}
