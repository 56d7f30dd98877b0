package io.alrai.dn.rpc.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import org.junit.jupiter.api.Test;

final class EnvelopeVersionsTest {
  private static final int OLDEST = EnvelopeVersions.OLDEST;
  private static final int NEWEST = EnvelopeVersions.NEWEST;

  private static int agreed(int oldest, int newest) {
    return EnvelopeVersions.agreed(oldest, newest, "the agent of dn-1", "this node");
  }

  @Test
  void twoVersionsAreSpoken() {
    assertEquals(OLDEST + 1, NEWEST);
  }

  @Test
  void theNewestThatBothSpeakIsSpoken() {
    assertEquals(NEWEST, agreed(OLDEST, NEWEST));
    assertEquals(NEWEST, agreed(NEWEST, NEWEST + 1));
    assertEquals(OLDEST, agreed(OLDEST - 1, OLDEST));
    assertEquals(OLDEST, agreed(OLDEST, 0), "version 18 has no range");
  }

  @Test
  void whoIsTooOldIsToBeUpgradedFirst() {
    AlraiException newer = assertThrows(AlraiException.class, () -> agreed(NEWEST + 1, NEWEST + 2));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), newer.errno());
    assertEquals(
        "the agent of dn-1 speaks versions 20 to 21 of the envelope, and this node versions 18 to"
            + " 19: upgrade this node first, one release at a time",
        newer.sentence());
    AlraiException older = assertThrows(AlraiException.class, () -> agreed(17, 0));
    assertEquals(
        "the agent of dn-1 speaks version 17 of the envelope, and this node versions 18 to 19:"
            + " upgrade the agent of dn-1 first, one release at a time",
        older.sentence());
  }
}
