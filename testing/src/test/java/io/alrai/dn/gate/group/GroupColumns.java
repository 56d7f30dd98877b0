package io.alrai.dn.gate.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelChange;
import io.alrai.dn.gate.ModelViews.View;
import io.alrai.dn.gate.World;
import io.alrai.dn.gate.group.GroupEntry.Body;
import io.alrai.dn.gate.group.LogReader.Logged;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who keeps a copy of a group's rows as a column index does, from the log of any member: a leader
 * says what is visible, and up to which entry stamps of that are written; a member that has read so
 * far gives it. The member changes now and then.
 */
final class GroupColumns {
  private static final int MOST_TRIES = 6;

  /**
   * What a leader says.
   *
   * @param visible all that it has let through, which has its last stamps
   * @param index of the last entry with a transaction or a stamp that it had heard of by then
   */
  record Mark(BitSet visible, int index) {}

  private record Given(int gtid, ModelChange change, @Nullable HlcTimestamp stamp) {}

  private record Asked(long term, View view, BitSet place) {}

  private final World world;
  private final GroupDn dn;
  private final GroupRules rules;
  private final List<Given> given = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();
  private BitSet known = new BitSet();
  private int source;

  private int refusals;
  int changes;
  int rebuilds;
  int shown;

  GroupColumns(World world, GroupDn dn, GroupRules rules) {
    this.world = world;
    this.dn = dn;
    this.rules = rules;
  }

  void begin() {
    world.after(
        world.between(200, 3_000),
        () -> {
          if (world.chance(0.1)) {
            change();
          }
          Optional<Mark> mark = dn.lead(dn.leader()).mark();
          if (mark.isPresent()) {
            world.after(world.between(20, 2_000), () -> take(mark.get(), 0));
          } else {
            begin();
          }
        });
  }

  private GroupMember member() {
    return dn.members().get(source);
  }

  private void change() {
    source = (int) world.between(0, dn.members().size() - 1);
    changes++;
    if (!rules.keepsItsPlace()) {
      member().reader().logged.forEach(logged -> known.set(logged.gtid));
    }
  }

  /** A client is shown a view by a leader: the columns show it, too, when they are so far. */
  void asked(long term, View view, BitSet place) {
    asked.add(new Asked(term, view, place));
    show();
  }

  private void take(Mark mark, int tries) {
    GroupMember from = member();
    LogReader reader = from.reader();
    boolean there = from.up() && reader.lastWritten() >= mark.index();
    if (!there && (rules.readsUpToMarks() || !from.up())) {
      if (tries < MOST_TRIES) {
        world.after(world.between(100, 1_000), () -> take(mark, tries + 1));
      } else {
        change();
        begin();
      }
      return;
    }
    BitSet wanted = (BitSet) mark.visible().clone();
    wanted.andNot(known);
    BitSet lacking = (BitSet) wanted.clone();
    reader.logged.forEach(logged -> lacking.clear(logged.gtid));
    if (!lacking.isEmpty() && rules.refusesGaps() && rules.readsUpToMarks()) {
      refused(mark);
    } else {
      refusals = 0;
      give(from, wanted);
    }
    begin();
  }

  /** The member has not all of it any more. */
  private void refused(Mark mark) {
    refusals++;
    if (refusals < 2 * dn.members().size()) {
      change();
      return;
    }
    // as no member has it: the rows are read anew, at a moment at which all of that is visible
    refusals = 0;
    rebuilds++;
    given.clear();
    known = (BitSet) mark.visible().clone();
    for (Logged logged : dn.checks.logged()) {
      if (known.get(logged.gtid)) {
        given.add(new Given(logged.gtid, logged.change, logged.stamp));
      }
    }
    show();
  }

  private void give(GroupMember from, BitSet wanted) {
    for (Logged logged : from.reader().logged) {
      boolean next = rules.givesWhatIsVisible() ? wanted.get(logged.gtid) : !known.get(logged.gtid);
      if (next) {
        give(logged.gtid, logged.change, logged.stamp);
      }
    }
    if (!rules.givesWhatIsCommitted()) {
      List<RaftEntry<GroupEntry>> entries = from.log().log();
      for (int i = from.log().committed(); i < entries.size(); i++) {
        GroupEntry entry = entries.get(i).entry();
        if (entry != null
            && entry.body() instanceof Body.Transaction one
            && !known.get(one.gtid())) {
          give(one.gtid(), one.change(), one.stamp());
        }
      }
    }
    show();
  }

  private void give(int gtid, ModelChange change, @Nullable HlcTimestamp stamp) {
    known.set(gtid);
    given.add(new Given(gtid, change, stamp));
  }

  private void show() {
    Iterator<Asked> each = asked.iterator();
    while (each.hasNext()) {
      Asked one = each.next();
      BitSet missing = (BitSet) one.place().clone();
      missing.andNot(known);
      if (missing.isEmpty() || !rules.awaitsWhatIsResolved()) {
        each.remove();
        shown++;
        View view = new View(dn.dn(), one.view().at(), rows(one.view().at()));
        dn.checks.shown(one.term(), view);
      }
    }
  }

  private Map<Integer, List<Long>> rows(HlcTimestamp at) {
    Map<Integer, List<Long>> rows = new HashMap<>();
    for (Given one : given) {
      HlcTimestamp stamp = one.stamp();
      if (stamp != null && stamp.compareTo(at) <= 0) {
        one.change()
            .writes()
            .forEach(
                (key, values) -> rows.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values));
      }
    }
    return rows;
  }

  /** What is wrong with what was given, compared with the log of the end. */
  void check(LogReader whole, List<String> found) {
    int last = 0;
    for (Given one : given) {
      Logged logged = whole.find(one.gtid());
      if (logged == null || !logged.change.equals(one.change())) {
        found.add(dn.dn() + ": the columns have " + one + ", and the log " + logged);
        continue;
      }
      if (!String.valueOf(logged.stamp).equals(String.valueOf(one.stamp()))) {
        found.add(dn.dn() + ": the columns have " + one + ", which is " + logged);
      }
      if (logged.index < last) {
        found.add(dn.dn() + ": the columns have " + one + " after entry " + last);
      }
      last = logged.index;
    }
  }
}
