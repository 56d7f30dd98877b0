package io.alrai.cn.snapshot;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Locale;

/** The values of {@code timestamp_source}. */
public enum TimestampMode {
  /** Every node's own hybrid logical clock. */
  HLC,
  /** The leader of the GMS. */
  TSO;

  /**
   * The mode of that name, in whatever case.
   *
   * @throws AlraiException 1231 when there is none
   */
  public static TimestampMode of(String name) {
    for (TimestampMode mode : values()) {
      if (mode.name().equals(name.strip().toUpperCase(Locale.ROOT))) {
        return mode;
      }
    }
    throw new AlraiException(
        ErrorCode.ER_WRONG_VALUE_FOR_VAR,
        "Variable 'timestamp_source' can't be set to the value of '"
            + name
            + "'; it is 'HLC' or 'TSO'");
  }
}
