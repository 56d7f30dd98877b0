package io.alrai.dn.gate.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Entry;
import io.alrai.dn.gate.ModelViews.View;
import io.alrai.dn.gate.group.LogReader.Logged;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must be true of a group, whatever its clients notice. */
final class GroupChecks {
  private record Acknowledged(long term, int gtid, Entry entry, @Nullable HlcTimestamp stamp) {}

  private record Shown(long term, View view) {}

  private final GroupDn dn;
  private final LogReader whole;
  private final List<RaftEntry<GroupEntry>> log = new ArrayList<>();
  private final List<Acknowledged> acknowledged = new ArrayList<>();
  private final List<Shown> views = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  GroupChecks(GroupDn dn, GroupRules rules) {
    this.dn = dn;
    this.whole = new LogReader(rules);
  }

  private void fault(String what) {
    faults.add(dn.dn() + ": " + what);
  }

  /** A member hears of an entry. */
  void committed(long term, int index, @Nullable GroupEntry entry) {
    if (index == log.size() + 1) {
      log.add(new RaftEntry<>(term, entry));
      if (entry != null) {
        whole.take(term, index, entry);
      }
    } else if (index > log.size()
        || log.get(index - 1).term() != term
        || log.get(index - 1).entry() != entry) {
      fault("members read different entries at " + index);
    }
  }

  /** A leader lets a transaction become visible, with its stamp for all who follow it. */
  void acknowledged(long term, int gtid, Entry entry) {
    acknowledged.add(new Acknowledged(term, gtid, entry, entry.stamp));
  }

  /** A learner is given a transaction, with all that the log has before that. */
  void learns(Logged next, BitSet has) {
    for (Logged before : whole.logged) {
      if (before.index >= next.index) {
        return;
      }
      if (!has.get(before.gtid)) {
        fault("a learner is given " + next + " without " + before);
        return;
      }
    }
  }

  /** A client hears of a view. */
  void shown(long term, View view) {
    views.add(new Shown(term, view));
  }

  int shown() {
    return views.size();
  }

  /**
   * A member begins to lead, with all that was visible in earlier terms, and after all that was
   * shown; perhaps it leads no more already.
   */
  void leads(long term, ModelEngine engine, HlcTimestamp clock) {
    for (Acknowledged one : acknowledged) {
      if (one.term >= term) {
        continue;
      }
      if (!engine.has(one.gtid)) {
        fault("a leader begins without what was acknowledged: " + one.gtid);
      }
      if (one.stamp != null && one.stamp.compareTo(clock) > 0) {
        fault("a leader begins at " + clock + ", below what is visible at " + one.stamp);
      }
    }
    for (Shown one : views) {
      if (one.term < term && one.view.at().compareTo(clock) > 0) {
        fault("a leader begins at " + clock + ", below what was shown at " + one.view.at());
      }
    }
  }

  /** What is wrong when everything has come to its end. */
  List<String> faults() {
    List<String> found = new ArrayList<>(faults);
    whole.faults.forEach(fault -> found.add(dn.dn() + ": " + fault));
    for (Acknowledged one : acknowledged) {
      Logged logged = whole.find(one.gtid);
      if (logged == null || !logged.change.equals(one.entry.change)) {
        found.add(dn.dn() + ": acknowledged " + one.gtid + " and not in the log: " + logged);
      } else if (one.stamp != null && !one.stamp.equals(logged.stamp)) {
        found.add(dn.dn() + ": was visible at " + one.stamp + ", and is " + logged);
      }
    }
    for (Shown one : views) {
      View view = one.view;
      Map<Integer, List<Long>> expected = new HashMap<>();
      for (Logged logged : whole.logged) {
        HlcTimestamp stamp = logged.stamp;
        if (stamp != null && stamp.compareTo(view.at()) <= 0) {
          add(logged.change.writes(), expected);
        }
      }
      if (!expected.equals(view.rows())) {
        found.add(view + " should be " + expected);
      }
    }
    Map<Integer, List<Long>> all = new HashMap<>();
    whole.logged.forEach(logged -> add(logged.change.writes(), all));
    dn.columns.check(whole, found);
    for (GroupMember member : dn.members()) {
      checkMember(member, all, found);
    }
    dn.learner().ifPresent(learner -> checkRows(learner, all, found));
    return found;
  }

  private void checkMember(GroupMember member, Map<Integer, List<Long>> all, List<String> found) {
    for (Logged logged : member.reader().logged) {
      Logged same = whole.find(logged.gtid);
      if (same == null
          || !same.change.equals(logged.change)
          || !String.valueOf(same.stamp).equals(String.valueOf(logged.stamp))) {
        found.add(dn.dn() + ": " + member + " reads " + logged + " instead of " + same);
      }
    }
    if (member.keepsRows()) {
      checkRows(member, all, found);
    }
  }

  private void checkRows(FedMysqld member, Map<Integer, List<Long>> all, List<String> found) {
    if (!member.engine().rows().visible().equals(all)) {
      found.add(
          dn.dn() + ": " + member + " has " + member.engine().rows().visible() + " of " + all);
    }
    if (member.engine().set().cardinality() != whole.logged.size()) {
      found.add(dn.dn() + ": " + member + " has executed " + member.engine().set());
    }
  }

  private static void add(Map<Integer, List<Long>> from, Map<Integer, List<Long>> to) {
    from.forEach((key, values) -> to.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values));
  }

  /** All that is committed, as far as anybody has heard. */
  List<Logged> logged() {
    return whole.logged;
  }
}
