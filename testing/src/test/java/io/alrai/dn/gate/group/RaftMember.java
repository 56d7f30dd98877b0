package io.alrai.dn.gate.group;

import io.alrai.dn.gate.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One member's part in a group's log. Its term and what it has synced outlive it. */
final class RaftMember<E> {
  static final int NONE = -1;
  private static final long HEARTBEAT = 2_000;

  private final World world;
  private final ModelRaft<E> group;
  private final RaftRules rules;
  private final int id;
  private final RaftEvents<E> events;
  private final List<RaftEntry<E>> log = new ArrayList<>();
  private long term;
  private int synced;
  private int kept;

  private boolean up = true;
  private int incarnation;
  private int committed;
  private int told;
  private boolean leads;
  private int firstOfTerm;
  private final int[] next = new int[ModelRaft.MEMBERS];
  private final int[] match = new int[ModelRaft.MEMBERS];

  RaftMember(World world, ModelRaft<E> group, RaftRules rules, int id, RaftEvents<E> events) {
    this.world = world;
    this.group = group;
    this.rules = rules;
    this.id = id;
    this.events = events;
  }

  boolean up() {
    return up;
  }

  boolean leads() {
    return leads;
  }

  long term() {
    return term;
  }

  /** What is in its log, committed or not. */
  List<RaftEntry<E>> log() {
    return log;
  }

  /** How many entries it knows to be committed. */
  int committed() {
    return committed;
  }

  /** How many entries it needs no more, nor after its next start. */
  int kept() {
    return kept;
  }

  /** How many entries a kill leaves. */
  int synced() {
    return synced;
  }

  private long lastTerm() {
    return log.isEmpty() ? 0 : log.getLast().term();
  }

  boolean hasAllOf(RaftMember<E> other) {
    int terms = Long.compare(lastTerm(), other.lastTerm());
    return terms > 0 || (terms == 0 && log.size() >= other.log.size());
  }

  // Life.

  /** kill -9: of what was not synced any part is lost. */
  void crash() {
    boolean led = leads;
    up = false;
    leads = false;
    incarnation++;
    int left = (int) world.between(Math.min(synced, log.size()), log.size());
    log.subList(left, log.size()).clear();
    synced = left;
    if (led) {
      events.follows();
    }
  }

  /** It hears anew of what is committed, from what it has released on. */
  void restart() {
    up = true;
    committed = kept;
    told = kept;
  }

  /** It needs no entries up to there after its next start, once they are on its disk. */
  void release(int upTo) {
    if (upTo <= told && upTo <= synced) {
      kept = Math.max(kept, upTo);
    }
  }

  /** It hears of a term. */
  void enter(long newer) {
    if (newer > term) {
      term = newer;
      if (leads) {
        leads = false;
        events.follows();
      }
    }
  }

  private void later(long micros, Runnable action) {
    int then = incarnation;
    world.after(
        micros,
        () -> {
          if (incarnation == then) {
            action.run();
          }
        });
  }

  // Leading.

  /** It was elected for the term that it is in. */
  void lead() {
    leads = true;
    firstOfTerm = log.size() + 1;
    Arrays.fill(next, log.size());
    Arrays.fill(match, 0);
    add(null);
    beat(term);
  }

  private void beat(long of) {
    if (leads && term == of) {
      for (int to = 0; to < ModelRaft.MEMBERS; to++) {
        next[to] = match[to];
        send(to);
      }
      later(HEARTBEAT, () -> beat(of));
    }
  }

  /**
   * Writes an entry.
   *
   * @return its index, or NONE where this member does not lead
   */
  int append(E entry) {
    if (!leads) {
      return NONE;
    }
    add(entry);
    return log.size();
  }

  private void add(@Nullable E entry) {
    log.add(new RaftEntry<>(term, entry));
    sync();
    for (int to = 0; to < ModelRaft.MEMBERS; to++) {
      send(to);
    }
  }

  private void send(int to) {
    if (to == id) {
      return;
    }
    int before = next[to];
    long termBefore = before == 0 ? 0 : log.get(before - 1).term();
    List<RaftEntry<E>> entries = List.copyOf(log.subList(before, log.size()));
    next[to] = log.size();
    long of = term;
    int known = committed;
    RaftMember<E> receiver = group.member(to);
    group.send(id, to, () -> receiver.take(of, this, before, termBefore, entries, known));
  }

  private void answered(long of, int from, int has) {
    enter(of);
    if (leads && of == term && has > match[from]) {
      match[from] = has;
      next[from] = Math.max(next[from], has);
      count();
    }
  }

  private void count() {
    int[] sorted = match.clone();
    Arrays.sort(sorted);
    int majority = sorted[ModelRaft.MEMBERS - ModelRaft.MAJORITY];
    boolean own = majority > 0 && log.get(majority - 1).term() == term;
    if (majority > committed && own) {
      committed = majority;
      tell();
    }
  }

  private void tell() {
    int then = incarnation;
    while (told < committed && incarnation == then) {
      RaftEntry<E> entry = log.get(told++);
      events.committed(entry.term(), told, entry.entry());
      if (leads && told == firstOfTerm) {
        events.leads(term);
      }
    }
  }

  // The disk.

  private void sync() {
    int upTo = log.size();
    long last = lastTerm();
    if (!rules.countsWhatIsSynced()) {
      has(upTo);
    }
    later(
        world.between(20, 400),
        () -> {
          boolean there = log.size() >= upTo && log.get(upTo - 1).term() == last;
          if (there && upTo > synced) {
            synced = upTo;
          }
          if (there) {
            has(upTo);
          }
        });
  }

  private void has(int upTo) {
    if (leads) {
      match[id] = Math.max(match[id], upTo);
      count();
    }
  }

  // Following.

  private void take(
      long of,
      RaftMember<E> from,
      int before,
      long termBefore,
      List<RaftEntry<E>> entries,
      int known) {
    enter(of);
    boolean fits =
        before == 0 || (log.size() >= before && log.get(before - 1).term() == termBefore);
    if (of < term || !fits) {
      answer(from, 0);
      return;
    }
    int has = before + entries.size();
    if (add(before, entries)) {
      sync();
    }
    answerWhenSynced(from, has);
    if (Math.min(known, has) > committed) {
      committed = Math.min(known, has);
      tell();
    }
  }

  /** Says whether something was new. */
  private boolean add(int before, List<RaftEntry<E>> entries) {
    boolean any = false;
    for (int i = 0; i < entries.size(); i++) {
      int place = before + i;
      if (place < log.size() && log.get(place).term() != entries.get(i).term()) {
        log.subList(place, log.size()).clear();
        synced = Math.min(synced, place);
      }
      if (place >= log.size()) {
        log.add(entries.get(i));
        any = true;
      }
    }
    return any;
  }

  private void answerWhenSynced(RaftMember<E> from, int has) {
    if (synced >= has || !rules.countsWhatIsSynced()) {
      answer(from, has);
      return;
    }
    long then = term;
    later(
        100,
        () -> {
          if (term == then && log.size() >= has) {
            answerWhenSynced(from, has);
          }
        });
  }

  private void answer(RaftMember<E> to, int has) {
    long of = term;
    group.send(id, to.id, () -> to.answered(of, id, has));
  }
}
