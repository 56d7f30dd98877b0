package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.PushAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The pushes that one life of an agent asks for and is asked for. */
final class ModelPushes {
  private final World world;
  private final ModelAgent agent;
  private final Gate gate;
  private final Function<DnId, ModelAgent> agents;
  private final Map<PushId, Call<PushAnswer>> asked = new HashMap<>();
  private long numbers;

  ModelPushes(World world, ModelAgent agent, Gate gate, Function<DnId, ModelAgent> agents) {
    this.world = world;
    this.agent = agent;
    this.gate = gate;
    this.agents = agents;
  }

  private void ifAlive(Runnable action) {
    if (agent.lives(this)) {
      action.run();
    }
  }

  /** Asks the primary, again when it has died over it. */
  void send(Effect.Push push) {
    ModelAgent primary = agents.apply(push.primary());
    Call<PushAnswer> call =
        new Call<>(
            world,
            world::peerDelay,
            clock -> ifAlive(() -> agent.received(clock)),
            answer -> ifAlive(() -> answered(push, answer)),
            () -> ifAlive(() -> agent.later(1_000, () -> send(push))));
    agent.lead.send(
        () -> primary.request(agent.now(), call, () -> primary.pushes().push(push, call)));
  }

  private void answered(Effect.Push push, PushAnswer answer) {
    gate.pushAnswered(push.id(), push.above(), answer);
    agent.work();
  }

  /** Another DN asks. */
  private void push(Effect.Push push, Call<PushAnswer> call) {
    PushId id = new PushId(++numbers);
    asked.put(id, call);
    gate.push(id, push.id(), push.prepareTs(), push.above());
  }

  void answered(PushId id, PushAnswer answer) {
    Call<PushAnswer> call = asked.remove(id);
    if (call != null) {
      agent.answer(call, answer);
    }
  }

  /** The log is asked until its answer is final. */
  void settle(TransactionId id) {
    agent.settle(
        id,
        settled -> {
          switch (settled.outcome()) {
            case COMMITTED -> gate.settled(id, new PushAnswer.Committed(settled.commitTs()));
            case ABORTED -> gate.settled(id, new PushAnswer.Above());
            case IN_DOUBT -> agent.later(1_000, () -> settle(id));
          }
        });
  }
}
