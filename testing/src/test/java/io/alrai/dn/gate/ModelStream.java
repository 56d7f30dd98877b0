package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.gate.ModelMysqld.Entry;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stream of one life of an agent: what arrives, and the ACKs with their marks. */
final class ModelStream {
  private final World world;
  private final ModelAgent agent;
  private final Gate gate;
  private final FailingClock clock;
  private final ModelDisk disk;
  private final LogRules rules;
  private final Map<BinlogPosition, Entry> received = new HashMap<>();
  private long arrivesAt;
  private long sentAt;
  private long ackArrivesAt;

  ModelStream(
      World world,
      ModelAgent agent,
      Gate gate,
      FailingClock clock,
      ModelDisk disk,
      LogRules rules) {
    this.world = world;
    this.agent = agent;
    this.gate = gate;
    this.clock = clock;
    this.disk = disk;
    this.rules = rules;
  }

  void begin() {
    agent.mysqld.stream(this::take);
    agent.mysqld.after(disk.acked).forEach(this::take);
    sendAck(disk.acked);
  }

  private void take(Entry entry) {
    arrivesAt = Math.max(arrivesAt, world.now() + world.between(10, 300));
    agent.later(
        arrivesAt - world.now(),
        () -> {
          received.put(entry.end, entry);
          if (!arrived(entry)) {
            return;
          }
          agent.work();
          agent.lead.write(
              world,
              agent,
              entry,
              () -> {
                gate.durable(entry.end);
                agent.work();
              });
        });
  }

  /** Whether this life goes on. */
  private boolean arrived(Entry entry) {
    clock.fails = world.chance(world.failures);
    try {
      gate.arrived(entry.arrival, entry.mayEndGroup);
    } catch (UncheckedIOException full) {
      clock.fails = false;
      if (rules.endsBrokenGates()) {
        agent.crash(true);
        return false;
      }
    }
    clock.fails = false;
    return true;
  }

  void stamped(BinlogPosition end, HlcTimestamp stamp) {
    received.get(end).stamp = stamp;
  }

  /** Those that came late are written, too, and that takes its time. */
  void write(Effect.WriteStamps late) {
    List<Entry> entries = late.stamps().stream().map(one -> received.get(one.end())).toList();
    agent.lead.writeStamps(
        world,
        agent,
        entries,
        () -> {
          gate.stampsWritten(late.number());
          agent.work();
        });
  }

  /**
   * The gate's word. What was read at once is acknowledged at its end; others hear of it at once.
   */
  void letThrough(BinlogPosition through) {
    if (rules.marksFirst()) {
      disk.acked = through;
    }
    agent.decisions().letThrough(ModelFiles.number(through));
    agent.follower.letThrough(ModelFiles.number(through));
    agent.lead.acknowledged(ModelFiles.number(through));
    sentAt = Math.max(sentAt, world.now() + (world.chance(0.2) ? world.between(0, 1_500) : 0));
    agent.later(
        sentAt - world.now(),
        () -> {
          if (through.compareTo(disk.acked) > 0) {
            disk.acked = through;
          }
          sendAck(through);
        });
  }

  /** An XA COMMIT that an agent of before has submitted answers nobody of this one. */
  void awaitEnd(TransactionId id, Call<Boolean> call) {
    agent.later(
        5_000,
        () -> {
          if (gate.holds(id) || agent.mysqld.busy()) {
            awaitEnd(id, call);
          } else {
            agent.answer(call, true);
          }
        });
  }

  private void sendAck(BinlogPosition through) {
    ackArrivesAt = Math.max(ackArrivesAt, world.now() + world.between(10, 200));
    agent.later(
        ackArrivesAt - world.now(),
        () -> {
          agent.mysqld.acknowledged(through);
          agent.later(130, agent::openNextViews);
        });
  }
}
