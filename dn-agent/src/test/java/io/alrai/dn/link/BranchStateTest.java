package io.alrai.dn.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BranchStateTest {
  private final BranchState state = new BranchState();

  @Test
  void aSchemaIsChosenWhereNoneIsCurrent() {
    assertTrue(state.choosesFor("a"));
  }

  @Test
  void theCurrentSchemaIsNotChosenAgain() {
    state.schema("a");
    for (int i = 0; i < 10; i++) {
      assertFalse(state.choosesFor("a"));
    }
  }

  @Test
  void anotherSchemaIsChosenWhenExecutionsKeepToIt() {
    state.schema("a");
    assertFalse(state.choosesFor("b"));
    assertFalse(state.choosesFor("b"));
    assertTrue(state.choosesFor("b"));
    state.schema("b");
    assertFalse(state.choosesFor("b"));
    assertFalse(state.choosesFor("a"));
  }

  @Test
  void executionsThatGoToAndFroChooseNone() {
    state.schema("a");
    for (int i = 0; i < 20; i++) {
      assertFalse(state.choosesFor("b"));
      assertFalse(state.choosesFor("b"));
      assertFalse(state.choosesFor(i % 2 == 0 ? "c" : "a"));
    }
  }

  @Test
  void whatNeedsNoSchemaIsPreparedUnderTheCurrentOneOfItsEra() {
    state.schema("a");
    assertEquals("a", state.preparesUnder());
    state.schemasOf(1);
    String unknown = state.preparesUnder();
    state.schemasOf(2);
    assertFalse(unknown.equals(state.preparesUnder()));
  }

  @Test
  void theCurrentSchemaOfAnEarlierEraMayBeGoneUntilAnotherOneIsChosen() {
    state.schemasOf(1);
    assertFalse(state.schemaMayBeGone());
    state.schema("a");
    state.schemasOf(1);
    assertFalse(state.schemaMayBeGone());
    state.schemasOf(2);
    state.schemasOf(3);
    assertTrue(state.schemaMayBeGone());
    state.schema("b");
    assertFalse(state.schemaMayBeGone());
  }
}
