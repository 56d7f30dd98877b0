package io.alrai.gms.api.node;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Who the nodes of the GMS are, as one that leads has said, or a configuration.
 *
 * @param generation 0 until one of them is made the whole group by force, then a larger one; what
 *     nodes of an earlier one say is not believed
 * @param term in which that one led; 0 for what a configuration says
 */
public record GmsMembers(long generation, long term, List<GmsPeer> peers) {
  private static final int RANDOM_BITS = 10;

  public GmsMembers {
    peers = List.copyOf(peers);
  }

  /** What a configuration says. */
  public static GmsMembers configured(List<GmsPeer> peers) {
    return new GmsMembers(0, 0, peers);
  }

  /**
   * A generation after another one. Its last bits are random: two nodes that are forced from the
   * same one, each without knowing of the other, are of different generations, of which the later
   * one counts.
   */
  public static long nextGeneration(long before, RandomGenerator random) {
    return ((before >> RANDOM_BITS) + 1 << RANDOM_BITS) + random.nextLong(1L << RANDOM_BITS);
  }

  /** Whether this was said later, and says something else. */
  public boolean isAfter(GmsMembers other) {
    if (generation != other.generation) {
      return generation > other.generation;
    }
    return term > other.term || term == other.term && !peers.equals(other.peers);
  }
}
