package io.alrai.dn.raft;

import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What must be true of a model's group at any moment. */
final class MembersChecks {
  private record Committed(long index, VoterRow row, int place) {}

  private final TreeMap<Long, VoterEntry> entries = new TreeMap<>();
  private final Map<Gtid, Committed> rows = new HashMap<>();
  private final List<Committed> order = new ArrayList<>();
  private final Set<VoterRow> acknowledged = new HashSet<>();
  private final Map<Long, Integer> leaders = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private Ballot ballot;
  int leads;
  int skips;

  MembersChecks(Ballot founders) {
    this.ballot = founders;
  }

  List<String> faults() {
    return faults;
  }

  void fault(String what) {
    faults.add(what);
  }

  int acknowledged() {
    return acknowledged.size();
  }

  /** Who votes by all that is committed. */
  Ballot ballot() {
    return ballot;
  }

  void elected(long term, int id) {
    Integer other = leaders.putIfAbsent(term, id);
    if (other != null) {
      fault("two lead in term " + term + ": " + other + " and " + id);
    }
  }

  void committed(Voter by, long index, VoterEntry entry) {
    VoterEntry before = entries.putIfAbsent(index, entry);
    if (before != null) {
      if (before != entry) {
        fault(by + " reads another entry at " + index);
      }
      return;
    }
    Ballot next = entry.ballot();
    if (next != null) {
      ballot = next;
    }
    for (VoterRow row : entry.ends()) {
      Committed now = new Committed(index, row, order.size());
      if (rows.putIfAbsent(row.gtid(), now) != null) {
        fault(row.gtid() + " is given twice");
      }
      order.add(now);
    }
  }

  /** A member's log loses an entry to another one. */
  void cut(Voter by, long at) {
    if (at <= by.committed()) {
      fault(by + " loses " + at + ", which was committed up to " + by.committed());
    }
  }

  void skips(Voter by, long first) {
    skips++;
    if (first < by.committed()) {
      fault(by + " goes back to " + first + " from " + by.committed());
    }
  }

  void acknowledged(VoterRow row) {
    acknowledged.add(row);
  }

  void applies(Voter by, List<VoterRow> before, VoterRow row) {
    for (VoterRow each : before) {
      if (each.gtid().equals(row.gtid()) || each.value() == row.value()) {
        fault(by + " applies " + row + " after " + each);
      }
    }
  }

  /** Its rows are about to be those of another one. */
  void replaces(Voter by) {
    if (by.member().leads() || by.member().role() == VoterMember.Role.PROMOTING) {
      fault(by + " leads and its rows are replaced");
    }
  }

  /** A member takes writes. */
  void leads(Voter by, long begin) {
    leads++;
    if (!by.keepsRows()) {
      fault(by + " has no rows");
    }
    Set<VoterRow> has = Set.copyOf(by.member().mysqld().rows());
    for (Committed one : order) {
      if (one.index < begin && !has.contains(one.row)) {
        fault(by + " leads without " + one);
        return;
      }
    }
  }

  /** A member's mysqld has what it says, and nothing that others have not. */
  void look(Voter by) {
    VoterMysqld mysqld = by.member().mysqld();
    GtidSet has = new GtidSet();
    for (VoterRow row : mysqld.rows()) {
      has.add(row.gtid());
      Committed same = rows.get(row.gtid());
      if (same == null || !same.row.equals(row)) {
        fault(by + " has " + row + " and its group " + same);
      }
    }
    if (!has.equals(mysqld.executed())) {
      fault(by + " says that it has " + mysqld.executed() + ", and has " + has);
    }
  }

  /** Everything is well again, and nobody has written for a while. */
  void end(Voter by) {
    List<VoterRow> all = order.stream().map(Committed::row).toList();
    List<VoterRow> has = by.member().mysqld().rows();
    if (!has.equals(all)) {
      fault(by + " has " + has.size() + " rows of " + all.size());
    }
    if (!new HashSet<>(all).containsAll(acknowledged)) {
      fault("acknowledged commits are not in the log");
    }
  }

  /** What of it nobody else has. */
  boolean hasAll(Voter one) {
    GtidSet known = one.member().mysqld().executed().copy();
    for (long i = one.log().first(); i <= one.log().synced(); i++) {
      VoterEntry entry = one.log().get(i);
      if (i - entry.parts() + 1 >= one.log().first()) {
        entry.ends().forEach(row -> known.add(row.gtid()));
      }
    }
    return order.stream().allMatch(row -> known.contains(row.row.gtid()));
  }
}
