package io.alrai.gms.api.node;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/**
 * That one member of a DN was made the whole group by force (docs/design/0080-force-leader.md).
 *
 * @param generation of the group since then; 0 where it was never forced
 * @param survivor that member
 * @param version of the catalog since which it is so
 * @param after what was committed after it is lost
 * @param atMillis when it was decided, leader's wall time
 * @param ended nodes that have ended, as a person has said
 */
public record ForcedGroup(
    long generation, String survivor, long version, Last after, long atMillis, List<String> ended) {
  /** The last entry of a log. */
  public record Last(long term, long index, long writtenMillis) {
    /** None. */
    public static final Last NONE = new Last(0, -1, 0);

    /** For a person. */
    public String sentence() {
      return "entry " + index + " of term " + term + ", written about " + time(writtenMillis);
    }
  }

  /** A group that was never forced. */
  public static final ForcedGroup NONE = new ForcedGroup(0, "", 0, Last.NONE, 0, List.of());

  public ForcedGroup {
    ended = List.copyOf(ended);
  }

  /** A copy by which these have ended, too. */
  public ForcedGroup ended(List<String> others) {
    return new ForcedGroup(
        generation,
        survivor,
        version,
        after,
        atMillis,
        Stream.concat(ended.stream(), others.stream()).distinct().sorted().toList());
  }

  /** What plans may depend on. */
  ForcedGroup planned() {
    return new ForcedGroup(generation, "", 0, Last.NONE, 0, List.of());
  }

  /** For a person. */
  public String sentence() {
    return "forced on "
        + time(atMillis)
        + " after "
        + after.sentence()
        + "; what was committed after that is lost";
  }

  private static Instant time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
  }
}
