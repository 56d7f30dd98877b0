package io.alrai.cn.ddl;

import java.util.List;

/**
 * How a DDL statement ended well.
 *
 * @param affectedRows as the client is told
 * @param warnings what SHOW WARNINGS gives behind it
 */
public record DdlOutcome(long affectedRows, List<SqlWarning> warnings) {
  static final DdlOutcome QUIET = new DdlOutcome(0, List.of());

  /** Copies the list. */
  public DdlOutcome {
    warnings = List.copyOf(warnings);
  }

  /** No affected rows. */
  static DdlOutcome with(List<SqlWarning> warnings) {
    return new DdlOutcome(0, warnings);
  }
}
