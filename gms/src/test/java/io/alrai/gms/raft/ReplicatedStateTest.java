package io.alrai.gms.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.GmsCodec;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicatedStateTest {
  private static LogEntry change(String request, CatalogCommand command) {
    return new LogEntry(request, new LogCommand.Change(command));
  }

  @Test
  void aChangeIsAStepAndMovesTheIndex() {
    ReplicatedState.Outcome outcome =
        ReplicatedState.EMPTY.apply(change("", Samples.createSchema("a")), 17);
    assertEquals(new Answer.Changed(17), outcome.answer());
    assertEquals(Optional.of(new Answer.Step(17, 1, Samples.createSchema("a"))), outcome.step());
    ReplicatedState.Outcome same =
        outcome.next().apply(change("", new CatalogCommand.PutSetting("none", "")), 18);
    assertEquals(new Answer.Changed(17), same.answer());
    assertTrue(same.step().isEmpty());
  }

  @Test
  void aNamedRequestIsAppliedOnce() {
    LogEntry entry = change("c:1", Samples.createSchema("a"));
    ReplicatedState.Outcome first = ReplicatedState.EMPTY.apply(entry, 1);
    ReplicatedState.Outcome second = first.next().apply(entry, 2);
    assertEquals(first.answer(), second.answer());
    assertEquals(first.next(), second.next());
    Answer third = second.next().apply(change("c:2", Samples.createSchema("a")), 3).answer();
    assertEquals(
        ErrorCode.ER_DB_CREATE_EXISTS, assertInstanceOf(Answer.Refused.class, third).code());
  }

  @Test
  void aRefusalIsRememberedToo() {
    ReplicatedState.Outcome refused =
        ReplicatedState.EMPTY.apply(change("c:1", new CatalogCommand.DropSchema("a")), 1);
    ReplicatedState made = refused.next().apply(change("c:2", Samples.createSchema("a")), 2).next();
    Answer again = made.apply(change("c:1", new CatalogCommand.DropSchema("a")), 3).answer();
    assertEquals(refused.answer(), again);
  }

  @Test
  void onlySoManyAnswersAreRemembered() {
    ReplicatedState state = ReplicatedState.EMPTY;
    for (int i = 0; i < ReplicatedState.REMEMBERED + 10; i++) {
      state = state.apply(change("c:" + i, new CatalogCommand.PutSetting("a", "" + i)), i).next();
      state = state.apply(change("", new CatalogCommand.PutSetting("b", "" + i)), i).next();
    }
    assertEquals(ReplicatedState.REMEMBERED, state.answered().size());
    assertEquals("c:10", state.answered().getFirst().request());
  }

  @Test
  void aSnapshotHoldsEverything() {
    ReplicatedState state = ReplicatedState.EMPTY;
    state = state.apply(change("c:1", Samples.ground()), 1).next();
    CatalogCommand view = new CatalogCommand.PutView(Samples.view("shop", "v"));
    state = state.apply(change("", view), 1).next();
    state =
        state
            .apply(change("c:2", new CatalogCommand.PutTable(Samples.table(1, "shop", "t"))), 2)
            .next();
    state = state.apply(change("c:3", new CatalogCommand.DropSchema("none")), 3).next();
    state = state.apply(change("", Samples.renew(Samples.CN1, 2, 5)), 4).next();
    state =
        state
            .apply(
                change("c:4", new CatalogCommand.PutJob(Samples.job(1, Samples.CN1, "shop", "t"))),
                5)
            .next();
    state = state.apply(new LogEntry("", new LogCommand.ReserveNumbers("s", 10)), 6).next();
    GmsCodec codec = new GmsCodec();
    assertEquals(state, codec.decode(codec.encode(state), ReplicatedState.class));
  }
}
