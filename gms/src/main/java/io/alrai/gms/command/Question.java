package io.alrai.gms.command;

import java.util.List;

/** What is asked of the leader without an entry in the log. */
public sealed interface Question {
  /**
   * Whether only a leader may answer that a majority has just confirmed. One that was stopped for a
   * while does not know yet that others go on without it, and what it knows of them is old.
   */
  default boolean confirmed() {
    return switch (this) {
      case HowFar _, WhoIsBehind _ -> true;
      // changes have numbers, and timestamps are of its own time and term
      case Watch _, NextTimestamps _ -> false;
    };
  }

  /**
   * The changes after one. Answered with {@link Answer.Steps} or {@link Answer.Whole}; when there
   * are none yet, after the next one or after the wait, whichever is first.
   *
   * @param known the last change the asker has; -1 for none
   * @param waitMillis how long the answer may take
   */
  record Watch(long known, long waitMillis) implements Question {}

  /**
   * The next timestamps of the leader's, above all that any leader gave before; answered with
   * {@link Answer.Timestamps}.
   *
   * @param count 1 or more
   */
  record NextTimestamps(int count) implements Question {}

  /**
   * How far sequences are; answered with {@link Answer.LastNumbers}.
   *
   * @param sequences their names
   */
  record HowFar(List<String> sequences) implements Question {
    public HowFar {
      sequences = List.copyOf(sequences);
    }
  }

  /** Which living CNs work with an older catalog version; answered with {@link Answer.Behind}. */
  record WhoIsBehind(long version) implements Question {}
}
