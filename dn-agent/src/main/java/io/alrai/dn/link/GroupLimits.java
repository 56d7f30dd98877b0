package io.alrai.dn.link;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The limits as a member has them: what is set for all groups, else what its role's file says.
 * Thread-safe.
 */
public final class GroupLimits {
  private final Map<GroupLimit, Long> own = new EnumMap<>(GroupLimit.class);
  private volatile Map<GroupLimit, Long> now;

  /** Those of a member of which nobody says anything. */
  public GroupLimits() {
    this(Map.of());
  }

  /** Those of a member until something is set for all. */
  public GroupLimits(Map<GroupLimit, Long> ofRole) {
    for (GroupLimit limit : GroupLimit.values()) {
      own.put(limit, ofRole.getOrDefault(limit, limit.usual()));
    }
    now = Map.copyOf(own);
  }

  /**
   * Takes over what is set for all groups.
   *
   * @param set empty for a limit that is not
   */
  public void follow(Function<GroupLimit, OptionalLong> set) {
    Map<GroupLimit, Long> next = new EnumMap<>(own);
    next.replaceAll((limit, mine) -> set.apply(limit).orElse(mine));
    now = Map.copyOf(next);
  }

  /** The present value of one. */
  public long of(GroupLimit limit) {
    return now.getOrDefault(limit, limit.usual());
  }
}
