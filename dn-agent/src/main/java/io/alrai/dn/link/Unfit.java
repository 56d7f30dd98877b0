package io.alrai.dn.link;

import java.util.Locale;

/** Why a connection that was given back may not serve another session. It is closed instead. */
public enum Unfit {
  /** A reply is outstanding. */
  BUSY,
  /** It is in a transaction that was not said to be ended or inherited. */
  IN_TRANSACTION,
  /** Its statements would not commit by themselves. */
  AUTOCOMMIT_OFF,
  /** Nothing is read from it. */
  NOT_READING,
  /** Bytes came for which nobody asked. */
  OUT_OF_STEP;

  /** Its name in the metric's label and in the log. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
