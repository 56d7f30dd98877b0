package io.alrai.cn.explain;

import io.alrai.executor.fragment.ShardPlace;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A step of a statement.
 *
 * @param text what is done; empty where a mysqld does all, whose plan says it
 * @param sample what mysqlds do in it
 * @param before steps whose rows it takes
 */
record Step(String text, Optional<Sample> sample, List<Step> before) {
  /**
   * A text that runs at several places, of which one tells its plan for all.
   *
   * @param places at least one
   * @param explain EXPLAIN of the text for a place, in the session's character set
   * @param text what is found in all that it sends, with logical names; empty where a mysqld tells
   *     of all
   */
  record Sample(List<ShardPlace> places, Function<ShardPlace, byte[]> explain, String text) {
    /** One whose mysqld tells of all. */
    Sample(List<ShardPlace> places, Function<ShardPlace, byte[]> explain) {
      this(places, explain, "");
    }
  }

  Step {
    before = List.copyOf(before);
  }

  /** One of mysqlds. */
  Step(String text, Sample sample) {
    this(text, Optional.of(sample), List.of());
  }

  /** One of the CN. */
  Step(String text, List<Step> before) {
    this(text, Optional.empty(), before);
  }

  /** Whether a mysqld tells of all of it. */
  boolean atOnePlace() {
    return text.isEmpty();
  }

  /**
   * Whether it sends a command; the CN's questions for mysqlds' estimates belong to no step.
   *
   * @param dn where it went
   * @param command with logical names
   * @param compared how much of the step's text is looked for in it
   */
  boolean asks(String dn, String command, int compared) {
    return sample
        .filter(each -> !each.text().isEmpty() && !command.startsWith("EXPLAIN "))
        .filter(each -> each.places().stream().anyMatch(place -> place.dn().name().equals(dn)))
        .filter(each ->
            command.contains(each.text().substring(0, Math.min(compared, each.text().length()))))
        .isPresent();
  }
}
