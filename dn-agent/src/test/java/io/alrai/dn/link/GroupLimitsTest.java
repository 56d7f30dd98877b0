package io.alrai.dn.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class GroupLimitsTest {
  @Test
  void whatIsSetForAllGoesBeforeTheRolesFile() {
    GroupLimits limits = new GroupLimits(Map.of(GroupLimit.APPLY_LAG, 20L));
    assertEquals(20, limits.of(GroupLimit.APPLY_LAG));
    assertEquals(GroupLimit.CLONE_SPEED.usual(), limits.of(GroupLimit.CLONE_SPEED));
    limits.follow(
        limit -> limit == GroupLimit.APPLY_LAG ? OptionalLong.of(0) : OptionalLong.empty());
    assertEquals(0, limits.of(GroupLimit.APPLY_LAG));
    limits.follow(limit -> OptionalLong.empty());
    assertEquals(20, limits.of(GroupLimit.APPLY_LAG));
  }

  @Test
  void namesAreThoseOfVariables() {
    assertEquals(Optional.of(GroupLimit.LOG_RETENTION), GroupLimit.named("dn_log_retention_bytes"));
    assertEquals(Optional.empty(), GroupLimit.named("dn_durability"));
  }
}
