package io.alrai.dn.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.group.FeedHold;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.SnapshotPlace;
import io.netty.channel.DefaultEventLoop;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaViewsTest {
  private static final DnId DN = new DnId("dn-1");

  private final DefaultEventLoop loop = new DefaultEventLoop();

  /** What the leader says of each place that it is asked for. */
  private volatile CompletableFuture<SnapshotPlace> place = new CompletableFuture<>();

  private final ReplicaViews views =
      new ReplicaViews(
          "dn-1-b",
          new FeedHold(),
          () -> true,
          () ->
              Optional.of(
                  (DnLog)
                      Proxy.newProxyInstance(
                          DnLog.class.getClassLoader(),
                          new Class<?>[] {DnLog.class},
                          (proxy, method, arguments) -> place)),
          System::nanoTime);

  @AfterEach
  void endLoop() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private CompletableFuture<Opening> open(long at) {
    FakeBranch branch =
        new FakeBranch(
            DN,
            loop,
            (asked, sent) -> {
              throw new AssertionError("it is asked nothing");
            });
    return views.open(branch, new HlcTimestamp(at), "START TRANSACTION", "ROLLBACK", false);
  }

  private void passedAfter(long millis, long hint) {
    place =
        new CompletableFuture<SnapshotPlace>()
            .completeOnTimeout(
                new SnapshotPlace.Passed(new HlcTimestamp(hint)), millis, TimeUnit.MILLISECONDS);
  }

  @Test
  void whoWasRefusedAsksAgainAtOnce() throws Exception {
    passedAfter(20, 7);
    CompletableFuture<Opening> second =
        open(5)
            .thenCompose(first -> {
              assertEquals(new Opening.Refused(new HlcTimestamp(7)), first);
              passedAfter(20, 9);
              return open(7);
            });
    assertEquals(new Opening.Refused(new HlcTimestamp(9)), second.get(20, TimeUnit.SECONDS));
  }

  @Test
  void afterALongHoldForNothingTheMysqldIsFedFirst() {
    String first = refusal(open(5));
    assertTrue(first.contains("cannot show snapshot"), first);
    String second = refusal(open(7));
    assertTrue(second.contains("is fed first"), second);
  }

  private static String refusal(CompletableFuture<Opening> opened) {
    return String.valueOf(
        assertThrows(ExecutionException.class, () -> opened.get(20, TimeUnit.SECONDS))
            .getMessage());
  }
}
