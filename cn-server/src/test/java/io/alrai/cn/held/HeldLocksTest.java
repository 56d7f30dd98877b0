package io.alrai.cn.held;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.AdminStatement.LockCall;
import io.alrai.optimizer.api.AdminStatement.LockCalls;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeldLocksTest {
  private static final LockCalls GET = calls(LockCall.GET);
  private static final LockCalls RELEASE = calls(LockCall.RELEASE);
  private static final LockCalls NESTED = new LockCalls(true, Optional.empty());

  private final HeldLocks held = new HeldLocks();

  private static LockCalls calls(LockCall... columns) {
    List<LockCall> all = List.of(columns);
    return new LockCalls(all.contains(LockCall.GET), Optional.of(all));
  }

  private boolean none(LockCalls calls, String... row) {
    held.row(calls, Arrays.asList(row));
    held.ended(calls);
    return held.none();
  }

  @Test
  void onlyWhatWasGotCounts() {
    assertTrue(none(GET, "0"));
    assertTrue(none(GET, (String) null));
    assertFalse(none(GET, "1"));
    assertFalse(none(RELEASE, "0"));
    assertTrue(none(RELEASE, "1"));
  }

  @Test
  void aLockThatWasGotTwiceIsReleasedTwice() {
    assertFalse(none(calls(LockCall.GET, LockCall.OTHER, LockCall.GET), "1", "1", "1"));
    assertFalse(none(RELEASE, "1"));
    assertTrue(none(RELEASE, "1"));
  }

  @Test
  void columnsCountInTheirOrder() {
    assertFalse(none(calls(LockCall.GET, LockCall.RELEASE_ALL, LockCall.GET), "1", "1", "1"));
    assertTrue(none(calls(LockCall.RELEASE_ALL), "1"));
  }

  @Test
  void whatRowsDoNotTellStaysUncertainUntilAllAreReleased() {
    assertFalse(none(NESTED, "yes"));
    assertFalse(none(RELEASE, "1"));
    assertTrue(none(calls(LockCall.RELEASE_ALL), "0"));
  }

  @Test
  void aFailureOfOneCallLeavesNothingBehindWhereNothingWas() {
    held.failed(GET);
    assertTrue(held.none());
    assertFalse(none(GET, "1"));
    held.failed(GET);
    assertFalse(none(RELEASE, "1"));
  }

  @Test
  void aFailureOfSeveralMayLeaveSome() {
    held.failed(calls(LockCall.GET, LockCall.GET));
    assertFalse(held.none());
  }
}
