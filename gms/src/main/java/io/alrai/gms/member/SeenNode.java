package io.alrai.gms.member;

import io.alrai.gms.api.GmsMembers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a node of the GMS has answered.
 *
 * @param name its own
 * @param generation of its group; -1 where it has none of this cluster
 * @param lead what it says as one that leads
 */
public record SeenNode(String name, long generation, Optional<Lead> lead) {
  /**
   * A leader's.
   *
   * @param members those who vote
   * @param changing whether that is about to change
   * @param silences for how long it has not heard of each other one
   */
  public record Lead(GmsMembers members, boolean changing, Map<String, Duration> silences) {
    public Lead {
      silences = Map.copyOf(silences);
    }
  }
}
