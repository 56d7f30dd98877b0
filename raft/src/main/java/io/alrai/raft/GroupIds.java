package io.alrai.raft;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;

/**
 * The ids of a Raft group: that of generation 0 is made of the group's name, those of later ones
 * are larger by the generation. So who knows the name reads the generation from an id, and members
 * of two generations do not know each other.
 *
 * @param name unique in the world
 */
public record GroupIds(String name) {
  private UUID first() {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The lowest term of a generation: all of an earlier one are below. */
  public static long firstTerm(long generation) {
    return generation << 32;
  }

  /** The id of a generation. */
  public RaftGroupId of(long generation) {
    UUID first = first();
    return RaftGroupId.valueOf(
        new UUID(first.getMostSignificantBits(), first.getLeastSignificantBits() + generation));
  }

  /** The generation of an id; empty for one of another group. */
  public OptionalLong generation(UUID id) {
    UUID first = first();
    long generation = id.getLeastSignificantBits() - first.getLeastSignificantBits();
    return id.getMostSignificantBits() == first.getMostSignificantBits()
            && generation >= 0
            && generation <= Integer.MAX_VALUE
        ? OptionalLong.of(generation)
        : OptionalLong.empty();
  }
}
