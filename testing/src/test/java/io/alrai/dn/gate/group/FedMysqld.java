package io.alrai.dn.gate.group;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A mysqld that is fed from a group's log. */
interface FedMysqld {
  /** Whether it follows. */
  boolean isFed();

  /** Grows with each of its lives. */
  int mysqldLife();

  /** What it has. */
  ModelEngine engine();

  /** What it was fed. */
  BitSet fed();

  /**
   * Feeds it no more.
   *
   * @param most but what is in there; null to feed everything
   */
  void hold(@Nullable BitSet most);
}
