package io.alrai.gms.member;

import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node of the GMS has answered.
 *
 * @param node its own name, and the address at which it has answered
 * @param generation of its group; -1 where it has none of this cluster
 * @param lead what it says as one that leads
 */
public record SeenNode(GmsPeer node, long generation, Optional<Lead> lead) {
  /** Its own. */
  public String name() {
    return node.id().name();
  }

  /**
   * A leader's.
   *
   * @param members those who vote, and where they can be reached
   * @param logged the same, as its log has them: an address there is that of its beginning, or the
   *     one at which it has answered, where the log has none
   * @param changing whether that is about to change
   * @param silences for how long it has not heard of each other one
   */
  public record Lead(
      GmsMembers members, List<GmsPeer> logged, boolean changing, Map<String, Duration> silences) {
    public Lead {
      logged = List.copyOf(logged);
      silences = Map.copyOf(silences);
    }
  }
}
