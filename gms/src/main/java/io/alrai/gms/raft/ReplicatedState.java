package io.alrai.gms.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a snapshot holds: the catalog's state, and the answers to the last named requests, so that a
 * request that is sent again after a failover is answered, not applied, a second time. Immutable.
 *
 * @param state the catalog and the sequences
 * @param change log index of the last change of the catalog; -1 before the first
 * @param answered the last named requests, oldest first
 */
record ReplicatedState(CatalogState state, long change, List<Answered> answered) {
  /** How many answers are remembered: far more than clients have under way within their timeout. */
  static final int REMEMBERED = 512;

  /** What one reservation gives at least. */
  private static final long LEAST_TIMESTAMPS = 1 << HlcTimestamp.LOGICAL_BITS;

  /** The sequence whose numbers are timestamps. */
  private static final String TIMESTAMPS = "timestamp";

  static final ReplicatedState EMPTY = new ReplicatedState(CatalogState.EMPTY, -1, List.of());

  ReplicatedState {
    answered = List.copyOf(answered);
  }

  /** A request and what it was answered. */
  record Answered(String request, Answer answer) {}

  /**
   * What an entry led to.
   *
   * @param step the change of the catalog, where there was one
   */
  record Outcome(ReplicatedState next, Answer answer, Optional<Answer.Step> step) {}

  /** Applies the entry at a log index. Deterministic; refusals are answers. */
  Outcome apply(LogEntry entry, long index) {
    Optional<Answered> before =
        entry.request().isEmpty()
            ? Optional.empty()
            : answered.stream().filter(one -> one.request().equals(entry.request())).findFirst();
    if (before.isPresent()) {
      return new Outcome(this, before.get().answer(), Optional.empty());
    }
    try {
      return switch (entry.command()) {
        case LogCommand.Change change -> change(entry.request(), change.command(), index);
        case LogCommand.ReserveNumbers reserve -> {
          SequenceRange range = state.next(reserve.sequence(), reserve.count());
          yield unchanged(
              state.raise(reserve.sequence(), range.last()),
              new Answer.Numbers(range.first(), range.last()));
        }
        case LogCommand.ReserveTimestamps reserve -> {
          long first = state.next(TIMESTAMPS, 1).first();
          long wanted =
              HlcTimestamp.ofMillis(reserve.nowMillis() + reserve.aheadMillis()).value() - 1;
          // also where the leader's clock was set back there are some
          long last = Math.max(first + LEAST_TIMESTAMPS - 1, wanted);
          yield unchanged(state.raise(TIMESTAMPS, last), new Answer.Numbers(first, last));
        }
        case LogCommand.RaiseNumbers raise ->
            unchanged(state.raise(raise.sequence(), raise.value()), new Answer.Changed(change));
      };
    } catch (AlraiException e) {
      return refused(entry.request(), new Answer.Refused(code(e), e.sentence()));
    } catch (RuntimeException e) {
      // A defect in the rules, on every node alike: refusing keeps the nodes equal and running.
      return refused(
          entry.request(),
          new Answer.Refused(ErrorCode.ALRAI_INTERNAL, "the GMS failed on a command: " + e));
    }
  }

  private Outcome change(String request, CatalogCommand command, long index) {
    CatalogState next = state.apply(command);
    boolean changed = !next.catalog().equals(state.catalog());
    long last = changed ? index : change;
    Answer answer = new Answer.Changed(last);
    return new Outcome(
        new ReplicatedState(next, last, remember(request, answer)),
        answer,
        changed
            ? Optional.of(new Answer.Step(index, next.catalog().version(), command))
            : Optional.empty());
  }

  private Outcome unchanged(CatalogState next, Answer answer) {
    return new Outcome(new ReplicatedState(next, change, answered), answer, Optional.empty());
  }

  private Outcome refused(String request, Answer.Refused refusal) {
    return new Outcome(
        new ReplicatedState(state, change, remember(request, refusal)), refusal, Optional.empty());
  }

  private List<Answered> remember(String request, Answer answer) {
    if (request.isEmpty()) {
      return answered;
    }
    List<Answered> next = new ArrayList<>(answered);
    next.add(new Answered(request, answer));
    return next.subList(Math.max(0, next.size() - REMEMBERED), next.size());
  }

  private static ErrorCode code(AlraiException e) {
    return Arrays.stream(ErrorCode.values())
        .filter(code -> code.errno() == e.errno())
        .findFirst()
        .orElse(ErrorCode.ALRAI_INTERNAL);
  }
}
