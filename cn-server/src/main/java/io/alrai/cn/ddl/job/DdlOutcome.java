package io.alrai.cn.ddl.job;

import java.util.List;

/**
 * How a DDL statement ended well.
 *
 * @param affectedRows as the client gets it
 * @param info the OK's text; may be empty
 * @param warnings what SHOW WARNINGS gives afterwards
 */
public record DdlOutcome(long affectedRows, String info, List<SqlWarning> warnings) {
  public static final DdlOutcome QUIET = new DdlOutcome(0, "", List.of());

  public DdlOutcome {
    warnings = List.copyOf(warnings);
  }

  /** No affected rows. */
  public static DdlOutcome with(List<SqlWarning> warnings) {
    return new DdlOutcome(0, "", warnings);
  }

  /** The OK of ALTER TABLE. */
  public static DdlOutcome altered(long rows, List<SqlWarning> warnings) {
    String info = "Records: " + rows + "  Duplicates: 0  Warnings: " + warnings.size();
    return new DdlOutcome(rows, info, warnings);
  }
}
