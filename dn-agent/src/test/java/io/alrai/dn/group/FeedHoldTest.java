package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FeedHoldTest {
  private static final UUID SERVER = UUID.fromString("00000000-0000-0000-0000-00000000000a");
  private static final long LONG_MILLIS = 50_000;

  private final FeedHold hold = new FeedHold();

  private static Gtid gtid(long number) {
    return new Gtid(SERVER, "", number);
  }

  private static GtidSet upTo(long number) {
    return GtidSet.parse(SERVER + ":1-" + number);
  }

  private boolean passes(long number) throws InterruptedException {
    return hold.passes(gtid(number), 0);
  }

  @Test
  void everythingPassesWhileNothingIsHeld() throws InterruptedException {
    hold.begins(upTo(2));
    assertTrue(passes(3));
    assertTrue(passes(4));
  }

  @Test
  void whileItIsHeldNothingPassesButWhatThePlaceHas() throws InterruptedException {
    hold.begins(upTo(2));
    assertTrue(passes(3));
    hold.hold();
    assertFalse(passes(4));
    GtidSet place = upTo(5);
    assertTrue(hold.feedTo(place));
    assertTrue(passes(4));
    assertTrue(passes(5));
    assertFalse(passes(6));
    assertTrue(hold.isAt(place));
    hold.release();
    assertFalse(hold.isAt(place));
    assertTrue(passes(6));
  }

  @Test
  void aPlaceThatLacksWhatWasFedIsPassed() throws InterruptedException {
    hold.begins(upTo(2));
    assertTrue(passes(3));
    hold.hold();
    assertFalse(hold.feedTo(upTo(2)));
    assertFalse(passes(4), "it is held still");
    assertTrue(hold.feedTo(upTo(3)));
  }

  @Test
  void noPlaceIsOneOfAMysqldOfWhichNothingIsKnown() {
    hold.hold();
    assertFalse(hold.feedTo(upTo(3)));
    hold.begins(upTo(3));
    hold.hold();
    GtidSet place = upTo(3);
    assertTrue(hold.feedTo(place));
    hold.forget();
    assertFalse(hold.isAt(place), "it may have written since");
    hold.hold();
    assertFalse(hold.feedTo(place));
  }

  @Test
  void whoWaitsGoesOnAsSoonAsItMay() throws Exception {
    hold.begins(upTo(2));
    hold.hold();
    CountDownLatch waits = new CountDownLatch(1);
    CompletableFuture<Boolean> passed = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          waits.countDown();
          try {
            passed.complete(hold.passes(gtid(3), LONG_MILLIS));
          } catch (InterruptedException e) {
            passed.completeExceptionally(e);
          }
        });
    waits.await();
    hold.release();
    assertTrue(passed.get(30, TimeUnit.SECONDS));
  }
}
