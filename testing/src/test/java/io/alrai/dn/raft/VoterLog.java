package io.alrai.dn.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The files of one member's log. Indexes begin with 0. */
final class VoterLog {
  private static final int FILE = 4;

  private final List<VoterEntry> entries = new ArrayList<>();
  private final TreeMap<Long, Ballot> ballots = new TreeMap<>();

  /** The last entries of files that are full. */
  private final TreeSet<Long> ends = new TreeSet<>();

  private long first;
  private long termBefore = -1;
  private long synced = -1;
  private long snapshot = -1;

  /** A log of a group that begins, or of a member that waits to be added. */
  VoterLog(Ballot founders) {
    ballots.put(-1L, founders);
  }

  long first() {
    return first;
  }

  long last() {
    return first + entries.size() - 1;
  }

  long lastTerm() {
    return term(last());
  }

  boolean has(long index) {
    return index >= first && index <= last();
  }

  /** The term of an entry, or of the one before the first; -1 where that is not known. */
  long term(long index) {
    return has(index) ? get(index).term() : index == first - 1 ? termBefore : -1;
  }

  VoterEntry get(long index) {
    return entries.get((int) (index - first));
  }

  List<VoterEntry> from(long index, int most) {
    int at = (int) (index - first);
    return List.copyOf(entries.subList(at, Math.min(entries.size(), at + most)));
  }

  Ballot ballot() {
    return ballots.lastEntry().getValue();
  }

  /** Where it is said who votes. */
  long ballotIndex() {
    return ballots.lastKey();
  }

  /** Who votes as a leader says it, and not as this member has heard it from others. */
  void learn(long index, Ballot ballot) {
    ballots.tailMap(index, true).clear();
    ballots.put(index, ballot);
  }

  long synced() {
    return synced;
  }

  void sync(long upTo) {
    synced = Math.max(synced, Math.min(upTo, last()));
  }

  /** Entries up to there do not come anew after a start. */
  long snapshot() {
    return snapshot;
  }

  void snapshot(long index) {
    snapshot = index;
  }

  void add(VoterEntry entry) {
    entries.add(entry);
    Ballot ballot = entry.ballot();
    if (ballot != null) {
      ballots.put(last(), ballot);
    }
    long open = ends.isEmpty() ? first : ends.last() + 1;
    if (last() - open + 1 >= FILE) {
      ends.add(last());
    }
  }

  void truncate(long from) {
    entries.subList((int) (from - first), entries.size()).clear();
    ballots.tailMap(from, true).clear();
    ends.tailSet(from, true).clear();
    synced = Math.min(synced, from - 1);
  }

  List<LogFiles.Closed> files() {
    List<LogFiles.Closed> files = new ArrayList<>();
    long from = first;
    for (long end : ends) {
      files.add(new LogFiles.Closed(from, end, end - from + 1));
      from = end + 1;
    }
    return files;
  }

  /** Whole files go. */
  void purge(long upTo) {
    Long end = ends.floor(upTo);
    if (end != null && end >= first) {
      termBefore = term(end);
      entries.subList(0, (int) (end - first + 1)).clear();
      first = end + 1;
      ends.headSet(end, true).clear();
    }
  }

  /** It goes on after an entry that it has not. */
  void skip(long index, long term) {
    entries.clear();
    ends.clear();
    first = index + 1;
    termBefore = term;
    snapshot = index;
    synced = index;
    ballots.tailMap(index, false).clear();
  }

  int size() {
    return entries.size();
  }

  @Override
  public String toString() {
    Map.Entry<Long, Ballot> last = ballots.lastEntry();
    return "[" + first + ".." + last() + " after " + snapshot + ", " + last + "]";
  }
}
