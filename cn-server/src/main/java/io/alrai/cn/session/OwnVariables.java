package io.alrai.cn.session;

/** System variables whose value is the CN's own. */
public final class OwnVariables {
  /** {@code @@version_comment}: how clients recognise Alrai. */
  public static final String VERSION_COMMENT = "Alrai";

  private OwnVariables() {}
}
