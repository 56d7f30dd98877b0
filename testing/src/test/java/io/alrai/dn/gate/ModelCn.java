package io.alrai.dn.gate;

import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import java.util.ArrayList;
import java.util.List;

/** A CN: a clock, and sessions that die with it. */
final class ModelCn {
  final NodeId name;
  private final SessionRules rules;
  HybridLogicalClock clock;
  private final World world;
  private final List<Runnable> connections = new ArrayList<>();
  private long offsetMillis;
  private int incarnation;
  private int sessions;

  ModelCn(World world, NodeId name, long offsetMillis, SessionRules rules) {
    this.world = world;
    this.name = name;
    this.offsetMillis = offsetMillis;
    this.rules = rules;
    this.clock = newClock();
  }

  private HybridLogicalClock newClock() {
    return new HybridLogicalClock(() -> world.wallMillis(offsetMillis), rules.mostAheadMillis());
  }

  /** Somebody sets its clock. */
  void setClock(long offset) {
    offsetMillis = offset;
  }

  int incarnation() {
    return incarnation;
  }

  void sessionStarted() {
    sessions++;
  }

  void sessionEnded() {
    sessions--;
  }

  /** Sessions that have not come to their end. */
  int sessions() {
    return sessions;
  }

  void sees(HlcTimestamp remote) {
    clock.update(remote);
  }

  /** What the DNs do when they notice that this CN is gone. */
  void whenLost(Runnable noticed) {
    connections.add(noticed);
  }

  /** kill -9; its sessions end at their next step, others take their place. */
  void crash() {
    incarnation++;
    if (rules.losesClocks()) {
      clock = newClock();
    }
    sessions = 0;
    connections.forEach(noticed -> world.after(world.delay(), noticed));
    connections.clear();
  }
}
