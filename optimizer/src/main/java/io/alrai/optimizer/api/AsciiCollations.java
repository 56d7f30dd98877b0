package io.alrai.optimizer.api;

import io.alrai.common.type.AsciiWeights;
import java.util.Optional;

/** What a planner may know of collations without asking a mysqld. Thread-safe, never blocks. */
public interface AsciiCollations {
  /** Nothing is known: every string's weight comes from its mysqld. */
  AsciiCollations NONE = collation -> Optional.empty();

  /**
   * The weights of ASCII characters under a NO PAD collation in which a text weighs what its
   * characters weigh one by one; empty for any other, or while it is not known. What was known once
   * stays known.
   */
  Optional<AsciiWeights> weights(String collation);
}
