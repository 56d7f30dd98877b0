package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedCatalogTest {
  private static final Catalog GROUND = CatalogState.EMPTY.apply(Samples.ground()).catalog();
  private static final Answer.Step STEP = new Answer.Step(11, 2, Samples.createSchema("b"));

  private final WatchedCatalog watched = new WatchedCatalog();

  @Test
  void itFollowsByTheSameCommands() {
    List<Long> versions = new ArrayList<>();
    watched.onChange(catalog -> versions.add(catalog.version()));
    assertEquals(-1, watched.known());
    watched.merge(new Answer.Whole(10, GROUND));
    watched.merge(new Answer.Steps(11, List.of(STEP)));
    watched.merge(new Answer.Steps(11, List.of(STEP))); // the same, asked by another thread
    assertEquals(11, watched.known());
    assertEquals(2, watched.catalog().version());
    assertEquals(List.of(1L, 2L), versions);
  }

  @Test
  void anOldAnswerTakesNothingBack() {
    watched.merge(new Answer.Whole(10, GROUND));
    watched.merge(new Answer.Steps(11, List.of(STEP)));
    watched.merge(new Answer.Whole(10, GROUND));
    assertEquals(2, watched.catalog().version());
    assertEquals(11, watched.known());
  }

  @Test
  void whereTheRulesDifferItTakesEverything() {
    watched.merge(new Answer.Whole(10, GROUND));
    watched.merge(new Answer.Steps(11, List.of(new Answer.Step(11, 9, Samples.createSchema("b")))));
    assertEquals(-1, watched.known());
    assertEquals(GROUND, watched.catalog());
    watched.merge(new Answer.Steps(12, List.of(new Answer.Step(12, 3, Samples.ground()))));
    assertEquals(GROUND, watched.catalog());
    Catalog theirs = CatalogState.EMPTY.apply(Samples.createSchema("theirs")).catalog();
    watched.merge(new Answer.Whole(12, theirs));
    assertEquals(theirs, watched.catalog());
    assertEquals(12, watched.known());
  }

  @Test
  void whatTheLeaderAppliedAndItRefusesMakesItTakeEverything() {
    watched.merge(new Answer.Whole(10, GROUND));
    watched.merge(
        new Answer.Steps(11, List.of(new Answer.Step(11, 2, Samples.createSchema("shop")))));
    assertEquals(-1, watched.known());
  }

  @Test
  void stepsWithoutABaseAreNotApplied() {
    watched.merge(new Answer.Steps(11, List.of(STEP)));
    assertEquals(Catalog.EMPTY, watched.catalog());
  }
}
