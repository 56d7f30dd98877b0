package io.alrai.gms.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ChangeFeedTest {
  private final ChangeFeed feed = new ChangeFeed();
  private CatalogState state = CatalogState.EMPTY;

  private Answer.Step publish(long change) {
    state = state.apply(Samples.createSchema("s" + change));
    Answer.Step step =
        new Answer.Step(change, state.catalog().version(), Samples.createSchema("s" + change));
    feed.publish(step, state.catalog());
    return step;
  }

  @Test
  void aFollowerGetsTheStepsItLacks() {
    publish(10);
    Answer.Step second = publish(20);
    Answer.Step third = publish(35);
    assertEquals(new Answer.Steps(35, List.of(second, third)), feed.watch(10, 0).join());
    assertEquals(new Answer.Steps(35, List.of()), feed.watch(35, 0).join());
  }

  @Test
  void whoHasNothingGetsEverything() {
    publish(10);
    assertEquals(new Answer.Whole(10, state.catalog()), feed.watch(-1, 0).join());
  }

  @Test
  void whoIsTooFarBehindGetsEverything() {
    for (int i = 0; i < ChangeFeed.KEPT + 5; i++) {
      publish(i);
    }
    Answer.Whole whole = new Answer.Whole(ChangeFeed.KEPT + 4, state.catalog());
    assertEquals(whole, feed.watch(3, 0).join());
    assertEquals(ChangeFeed.KEPT, ((Answer.Steps) feed.watch(4, 0).join()).steps().size());
  }

  @Test
  void afterASnapshotThereAreNoOlderSteps() {
    Catalog catalog = state.apply(Samples.createSchema("snapshot")).catalog();
    feed.reset(100, catalog);
    assertEquals(new Answer.Whole(100, catalog), feed.watch(99, 0).join());
    assertEquals(new Answer.Steps(100, List.of()), feed.watch(100, 0).join());
  }

  @Test
  void aWaitEndsWithTheNextChange() {
    publish(1);
    CompletableFuture<Answer> waiting = feed.watch(1, 60_000);
    assertFalse(waiting.isDone());
    Answer.Step step = publish(2);
    assertEquals(new Answer.Steps(2, List.of(step)), waiting.join());
  }

  @Test
  void aWaitEndsWithItsTimeOrItsNode() {
    publish(1);
    assertEquals(new Answer.Steps(1, List.of()), feed.watch(1, 10).join());
    CompletableFuture<Answer> waiting = feed.watch(1, 60_000);
    feed.release();
    assertEquals(new Answer.Steps(1, List.of()), waiting.join());
  }
}
