package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one life of an agent remembers of decisions: from the stream, and from the end of the log
 * that the one before it left. What is not forgotten soon gets a row; then the mark moves.
 */
final class ModelDecisions {
  private static final long LOOK = 500;
  private static final long SLOW = 2_000;

  private record Candidate(int through, long at) {}

  private final World world;
  private final ModelAgent agent;
  private final ModelDisk disk;
  private final LogRules rules;
  private final Map<TransactionId, HlcTimestamp> known = new HashMap<>();
  private final Map<TransactionId, Integer> at = new HashMap<>();
  private final Deque<Candidate> candidates = new ArrayDeque<>();
  private int through;
  private int offered = -1;
  private boolean complete;
  private boolean recording;

  ModelDecisions(World world, ModelAgent agent, ModelDisk disk, LogRules rules) {
    this.world = world;
    this.agent = agent;
    this.disk = disk;
    this.rules = rules;
  }

  /** Begins to read what comes after the mark; so many entries are visible, or will be at once. */
  void begin(int visible) {
    through = visible;
    agent.later(world.between(100, 4_000), () -> read(visible));
    agent.later(LOOK, this::look);
  }

  private void read(int visible) {
    List<Entry> log = agent.mysqld.binlog();
    for (int i = Math.max(disk.settled, agent.mysqld.files.deleted()); i < visible; i++) {
      note(log.get(i), i + 1);
    }
    agent
        .lead
        .inherited()
        .forEach((id, commitTs) -> {
          known.put(id, commitTs);
          at.put(id, 0);
        });
    complete = true;
  }

  private void note(Entry entry, int number) {
    if (entry.arrival instanceof Arrival.Decision decision) {
      known.put(decision.id(), decision.commitTs());
      at.put(decision.id(), number);
    }
  }

  /** All entries up to there are let through. */
  void letThrough(int upTo) {
    while (through < upTo) {
      note(agent.mysqld.binlog().get(through), through + 1);
      through++;
    }
  }

  /** Whether all that was decided before this life is known. */
  boolean complete() {
    return complete || !rules.readsBeforeAnswering();
  }

  @Nullable HlcTimestamp find(TransactionId id) {
    return known.get(id);
  }

  void forget(TransactionId id) {
    known.remove(id);
    at.remove(id);
  }

  private void look() {
    agent.later(LOOK, this::look);
    if (!complete || recording) {
      return;
    }
    if (offered < through) {
      offered = through;
      candidates.add(new Candidate(through, world.now()));
    }
    Candidate due = null;
    while (!candidates.isEmpty() && world.now() - candidates.peek().at >= SLOW) {
      due = candidates.remove();
    }
    if (due != null) {
      recording = true;
      settle(due.through);
    }
  }

  private void settle(int upTo) {
    List<TransactionId> slow = new ArrayList<>();
    at.forEach((id, number) -> {
      if (number <= upTo) {
        slow.add(id);
      }
    });
    if (!rules.copiesSlowOnes()) {
      slow.forEach(this::forget);
      slow.clear();
    }
    Map<TransactionId, Long> rows = new HashMap<>();
    slow.forEach(id -> rows.put(id, known.get(id).value()));
    if (rows.isEmpty()) {
      move(upTo);
      return;
    }
    agent.copy(
        rows,
        () -> {
          for (TransactionId id : rows.keySet()) {
            if (!known.containsKey(id)) {
              agent.mysqld.txLog.forget(id);
            }
            forget(id);
          }
          move(upTo);
        });
  }

  private void move(int upTo) {
    recording = false;
    disk.settled = upTo;
    agent.lead.settled(upTo);
    agent.mysqld.files.delete(Math.min(upTo, agent.follower.consumed()));
  }
}
