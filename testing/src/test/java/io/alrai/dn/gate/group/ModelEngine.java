package io.alrai.dn.gate.group;

import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.ModelChange;
import io.alrai.dn.gate.ModelRows;
import io.alrai.dn.gate.World;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The engine of a member's mysqld over all its lives: which transactions it has executed, and what
 * comes of them. A kill takes some of the last ones along.
 */
final class ModelEngine {
  private static final int MOST_LOST = 4;

  private record Executed(int gtid, Arrival arrival, ModelChange change, int group) {}

  private final World world;
  private final List<Executed> journal = new ArrayList<>();
  private final BitSet set = new BitSet();
  private ModelRows rows = new ModelRows();
  private int flushed;
  private int groups;

  ModelEngine(World world) {
    this.world = world;
  }

  boolean has(int gtid) {
    return set.get(gtid);
  }

  /** gtid_executed. */
  BitSet set() {
    return set;
  }

  ModelRows rows() {
    return rows;
  }

  /** The next transactions belong to another commit group. */
  void nextGroup() {
    groups++;
  }

  void execute(int gtid, Arrival arrival, ModelChange change) {
    journal.add(new Executed(gtid, arrival, change, groups));
    set.set(gtid);
    rows.apply(arrival, change);
  }

  /** FLUSH ENGINE LOGS. */
  BitSet flush() {
    flushed = journal.size();
    return (BitSet) set.clone();
  }

  /** It has the rows of another one, and forgets its own. */
  void become(ModelEngine other) {
    journal.clear();
    journal.addAll(other.journal);
    replay();
    groups = other.groups;
    flushed = journal.size();
  }

  /** kill -9. Of the first commit group that is hit any part may be there. */
  void crash() {
    int from = Math.max(flushed, journal.size() - MOST_LOST);
    int cut = (int) world.between(from, journal.size());
    if (cut == journal.size()) {
      return;
    }
    List<Executed> lost = List.copyOf(journal.subList(cut, journal.size()));
    journal.subList(cut, journal.size()).clear();
    int hit = lost.getFirst().group();
    lost.stream().skip(1).filter(e -> e.group() == hit && world.chance(0.4)).forEach(journal::add);
    replay();
  }

  private void replay() {
    set.clear();
    rows = new ModelRows();
    journal.forEach(e -> {
      set.set(e.gtid());
      rows.apply(e.arrival(), e.change());
    });
  }
}
