package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Effect;
import io.alrai.dn.gate.PushId;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.PushAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The pushes that one life of a gate asks for and is asked for. On the gate's loop only. */
final class Pushes {
  private final GateLife life;
  private final Function<DnId, CommitParticipant> participants;
  private final GateCounts counts;
  private final Map<PushId, CompletableFuture<PushAnswer>> asked = new HashMap<>();
  private long numbers;

  Pushes(GateLife life, Function<DnId, CommitParticipant> participants, GateCounts counts) {
    this.life = life;
    this.counts = counts;
    this.participants = participants;
  }

  /** Asks the primary, again while it is out of reach and somebody waits for the answer. */
  void send(Effect.Push push) {
    counts.pushes().increment();
    CompletableFuture<PushAnswer> answer;
    try {
      answer = participants.apply(push.primary()).push(push.id(), push.prepareTs(), push.above());
    } catch (AlraiException unknown) {
      answer = CompletableFuture.failedFuture(unknown);
    }
    answer.whenComplete((said, error) ->
        life.onLoop(() -> {
          if (error == null) {
            life.tell(gate -> gate.pushAnswered(push.id(), push.above(), said));
          } else if (life.gate().waitingOpens() > 0) {
            life.later(() -> send(push));
          }
        }));
  }

  /** Another DN asks. */
  void asked(
      TransactionId id,
      HlcTimestamp prepareTs,
      HlcTimestamp above,
      CompletableFuture<PushAnswer> done) {
    PushId push = new PushId(++numbers);
    asked.put(push, done);
    try {
      life.tell(gate -> gate.push(push, id, prepareTs, above));
    } catch (AlraiException skew) {
      asked.remove(push);
      done.completeExceptionally(skew);
    }
  }

  void answer(PushId push, PushAnswer answer) {
    CompletableFuture<PushAnswer> done = asked.remove(push);
    if (done != null) {
      counts.pushesAnswered().increment();
      done.complete(answer);
    }
  }

  /** The log is asked until its answer is final. */
  void settle(TransactionId id) {
    life.work()
        .settle(id)
        .whenComplete((outcome, error) ->
            life.onLoop(() -> {
              switch (outcome) {
                case Outcome.Committed committed ->
                    life.tell(
                        gate -> gate.settled(id, new PushAnswer.Committed(committed.commitTs())));
                // what a client decides from now on comes above: the push has moved the clock
                case Outcome.RolledBack _, Outcome.Clients _ ->
                    life.tell(gate -> gate.settled(id, new PushAnswer.Above()));
                case null -> life.later(() -> settle(id));
                case Outcome.InDoubt _ -> life.later(() -> settle(id));
              }
            }));
  }

  void end(AlraiException down) {
    List.copyOf(asked.values()).forEach(done -> done.completeExceptionally(down));
    asked.clear();
  }
}
