package io.alrai.dn.replica;

import java.util.Locale;

/** How long the tests of this package go on, and what they print. */
final class Facts {
  /** Kills of each test that kills at random moments. */
  static final int KILLS = Integer.getInteger("facts.kills", 2);

  /** What is random follows from it. */
  static final long SEED = Long.getLong("facts.seed", System.nanoTime() & 0xff_ffff);

  /** Whether each statement has a kill of its own. */
  static final boolean ALL = KILLS > 2;

  static {
    print("-Dfacts.kills=%d -Dfacts.seed=%d", KILLS, SEED);
  }

  private Facts() {}

  static void print(String format, Object... values) {
    System.out.println("facts: " + String.format(Locale.ROOT, format, values));
  }
}
