package io.alrai.dn.gate.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.gate.World;
import io.alrai.testing.BrokenRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * The model of a group's log keeps what Raft promises, so that what the simulator finds with it is
 * not the model's fault; and without Raft's rules it does not.
 */
class RaftSim {
  private static final int SEEDS = 100;
  private static final int SEEDS_BROKEN = 400;
  private static final long MOST_PAUSE = 20_000;

  /** One run, in which members are killed, cut off and elected, and what everybody hears. */
  private static final class Run {
    final World world;
    final ModelRaft<Long> raft;
    final Map<Integer, RaftEntry<Long>> committed = new HashMap<>();
    final Map<Long, Integer> leaders = new HashMap<>();
    final Set<Long> acknowledged = new HashSet<>();
    final List<String> faults = new ArrayList<>();
    final int[] heard = new int[ModelRaft.MEMBERS];
    int changes;
    private long number;

    Run(long seed, RaftRules rules) {
      this.world = new World(seed);
      this.raft = new ModelRaft<>(world, rules, Hearer::new);
      raft.losses = world.chance(0.5) ? 0.1 : 0;
    }

    /** Compares what one member hears with what others have heard. */
    private final class Hearer implements RaftEvents<Long> {
      private final int id;

      Hearer(int id) {
        this.id = id;
      }

      @Override
      public void committed(long term, int index, @Nullable Long entry) {
        if (index != heard[id] + 1) {
          faults.add(id + " hears " + index + " after " + heard[id]);
        }
        heard[id] = index;
        RaftEntry<Long> now = new RaftEntry<>(term, entry);
        RaftEntry<Long> before = committed.putIfAbsent(index, now);
        if (before != null && !before.equals(now)) {
          faults.add("at " + index + " is " + before + " and " + now);
        }
        if (entry != null) {
          acknowledged.add(entry);
        }
      }

      @Override
      public void leads(long term) {
        changes++;
        Integer other = leaders.putIfAbsent(term, id);
        if (other != null && other != id) {
          faults.add("two lead in " + term);
        }
        Set<Long> has = new HashSet<>();
        raft.member(id)
            .log()
            .forEach(place -> {
              if (place.entry() != null) {
                has.add(place.entry());
              }
            });
        if (!has.containsAll(acknowledged)) {
          faults.add(id + " leads in " + term + " without all that is committed");
        }
      }

      @Override
      public void follows() {}
    }

    void run(long micros) {
      append();
      disturb();
      world.run(micros);
      // everybody is back, and somebody leads
      world.failures = 1;
      for (int from = 0; from < ModelRaft.MEMBERS; from++) {
        for (int to = 0; to < ModelRaft.MEMBERS; to++) {
          raft.heal(from, to);
        }
        revive(from);
      }
      for (int i = 0; !raft.elect(i, List.of(0, 1, 2)); i++) {
        world.run(world.now() + 1);
      }
      world.run(world.now() + 200_000);
    }

    private void revive(int id) {
      if (!raft.member(id).up()) {
        raft.member(id).restart();
        heard[id] = raft.member(id).committed();
      }
    }

    private void append() {
      for (int i = 0; i < ModelRaft.MEMBERS; i++) {
        if (raft.member(i).leads()) {
          raft.member(i).append(++number);
        }
      }
      world.after(
          world.between(10, 1_000),
          () -> {
            if (world.failures == 0) {
              append();
            }
          });
    }

    private void disturb() {
      if (world.failures != 0) {
        return;
      }
      int one = (int) world.between(0, 2);
      int other = (int) world.between(0, 2);
      double kind = world.random.nextDouble();
      if (kind < 0.4) {
        raft.elect(one, world.chance(0.5) ? List.of(other) : List.of(0, 1, 2));
      } else if (kind < 0.6) {
        raft.member(one).release((int) world.between(0, 100));
        if (raft.member(one).up()) {
          raft.member(one).crash();
        }
        world.after(world.between(0, MOST_PAUSE), () -> revive(one));
      } else {
        raft.cut(one, other);
        world.after(world.between(0, MOST_PAUSE), () -> raft.heal(one, other));
      }
      world.after(world.between(100, 5_000), this::disturb);
    }
  }

  private static Run run(long seed, RaftRules rules) {
    Run run = new Run(seed, rules);
    run.run(400_000);
    return run;
  }

  @Test
  void keepsWhatRaftPromises(TestReporter reporter) {
    long entries = 0;
    long changes = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = run(seed, new RaftRules());
      assertEquals(List.of(), run.faults, "seed " + seed);
      assertEquals(1, IntStream.of(run.heard).distinct().count(), "seed " + seed);
      entries += run.acknowledged.size();
      changes += run.changes;
    }
    reporter.publishEntry(SEEDS + " seeds", entries + " entries, " + changes + " leaders");
    assertTrue(entries > 30 * SEEDS && changes > 10 * SEEDS, entries + " " + changes);
  }

  private static void expectFault(RaftRules broken, TestReporter reporter) {
    BrokenRules.expectFault(
        1,
        SEEDS_BROKEN,
        seed -> run(seed, broken).faults,
        seed -> run(seed, new RaftRules()).faults,
        reporter);
  }

  @Test
  void votingForWhoHasLess(TestReporter reporter) {
    expectFault(
        new RaftRules() {
          @Override
          boolean comparesLogs() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void countingWhatIsNotSynced(TestReporter reporter) {
    expectFault(
        new RaftRules() {
          @Override
          boolean countsWhatIsSynced() {
            return false;
          }
        },
        reporter);
  }
}
