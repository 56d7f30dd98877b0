package io.alrai.gms.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.command.Answer;
import org.junit.jupiter.api.Test;

class TimestampWindowTest {
  private final TimestampWindow window = new TimestampWindow();

  private static long at(long millis) {
    return HlcTimestamp.ofMillis(millis).value();
  }

  private void reserved(long term, long fromMillis, long untilMillis) {
    window.reserved(term, at(fromMillis), at(untilMillis) - 1);
  }

  @Test
  void theyFollowTheWallTimeAndEachOther() {
    reserved(1, 1_000, 1_300);
    assertEquals(new Answer.Timestamps(at(1_000), 2, 299), window.take(1, 2, 1_000));
    assertEquals(new Answer.Timestamps(at(1_000) + 2, 1, 299), window.take(1, 1, 1_000));
    assertEquals(at(1_200), window.take(1, 5, 1_200).first());
    assertEquals(at(1_200) + 5, window.take(1, 1, 1_100).first());
  }

  @Test
  void withoutALeaderOrAReservationThereAreNone() {
    assertEquals(Answer.Timestamps.NONE, window.take(1, 1, 1_000));
    reserved(1, 1_000, 1_300);
    assertEquals(Answer.Timestamps.NONE, window.take(-1, 1, 1_000));
    assertEquals(Answer.Timestamps.NONE, window.take(2, 1, 1_000));
  }

  @Test
  void whatHasRunOutIsNotGiven() {
    reserved(1, 1_000, 1_300);
    assertEquals(Answer.Timestamps.NONE, window.take(1, 1, 1_300));
    assertEquals(Answer.Timestamps.NONE, window.take(1, 2 << 16, 1_299));
    assertEquals(1, window.take(1, 1, 1_299).count());
  }

  @Test
  void aLaterReservationOfTheSameLeaderGoesOn() {
    reserved(1, 1_000, 1_300);
    assertEquals(at(1_100), window.take(1, 1, 1_100).first());
    reserved(1, 1_300, 1_500);
    assertEquals(new Answer.Timestamps(at(1_100) + 1, 1, 399), window.take(1, 1, 1_100));
    assertEquals(at(1_400), window.take(1, 1, 1_400).first());
  }

  @Test
  void aNewLeaderBeginsAboveWhatTheOldOneMayGive() {
    reserved(1, 1_000, 1_300);
    reserved(2, 1_300, 1_500);
    // the old leader, wherever it still leads, has until 1300; this one begins then
    assertEquals(Answer.Timestamps.NONE, window.take(1, 1, 1_200));
    assertEquals(new Answer.Timestamps(0, 0, 101), window.take(2, 1, 1_200));
    assertEquals(at(1_300), window.take(2, 1, 1_300).first());
  }
}
