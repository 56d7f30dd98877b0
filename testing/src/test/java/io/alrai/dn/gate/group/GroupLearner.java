package io.alrai.dn.gate.group;

import io.alrai.dn.gate.World;
import io.alrai.dn.gate.group.GroupEntry.Body;
import io.alrai.dn.gate.group.LogReader.Logged;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mysqld without a vote: it is fed from the log of one member that keeps rows, and of the other
 * one when that goes, or just so. Each member has of its log what it has not released before its
 * start. Where none has all that is missing, it clones one that follows.
 */
final class GroupLearner implements FedMysqld {
  private final World world;
  private final GroupDn dn;
  private final GroupRules rules;
  private final ModelEngine engine;
  private int life;
  private boolean runs;
  private boolean feeding;
  private boolean asking;
  private boolean cloning;
  private int underWay;
  private @Nullable BitSet limit;

  /** Who sends, its log as of its start, and how much of that was looked at; null for nobody. */
  private @Nullable GroupMember source;

  private @Nullable LogReader log;
  private int next;
  private int nextOfTail;

  /** Found out while it was sending. */
  private @Nullable GroupMember forgot;

  private int sources;
  private int clones;

  GroupLearner(World world, GroupDn dn, GroupRules rules) {
    this.world = world;
    this.dn = dn;
    this.rules = rules;
    this.engine = new ModelEngine(world);
  }

  void begin() {
    world.after(
        world.chance(0.5) ? world.between(0, 60_000) : world.between(60_000, 200_000),
        () -> {
          runs = true;
          look();
        });
    for (long restarts = world.between(0, 3); restarts > 0; restarts--) {
      world.after(world.between(60_000, 150_000), this::restartMysqld);
    }
  }

  /** How often it was fed by another one than before, or anew. */
  int sources() {
    return sources;
  }

  int clones() {
    return clones;
  }

  private void look() {
    if (world.chance(0.005)) {
      source = null;
    }
    feed();
    world.after(world.between(20, 600), this::look);
  }

  /** A member has just started, and has heard little: now and then this one has, too, and asks. */
  void memberIsBack() {
    if (!cloning && world.chance(0.5)) {
      runs = true;
      source = null;
      world.after(
          world.between(0, 500),
          () -> {
            if (runs && !cloning && !feeding && log().isEmpty()) {
              choose();
            }
          });
    }
  }

  private void restartMysqld() {
    endMysqld();
    engine.crash();
    world.after(world.between(300, 60_000), () -> runs = true);
  }

  private void endMysqld() {
    runs = false;
    life++;
    feeding = false;
    underWay = 0;
    source = null;
    forgot = null;
  }

  // Who sends.

  private Optional<LogReader> log() {
    GroupMember from = source;
    LogReader sent = log;
    boolean same = from != null && from.up() && sent != null && from.reader().equals(sent);
    return same ? Optional.of(sent) : Optional.empty();
  }

  private void ask() {
    if (asking) {
      return;
    }
    asking = true;
    world.after(
        world.between(50, 2_000),
        () -> {
          asking = false;
          if (runs && !cloning && !feeding && log().isEmpty()) {
            choose();
          }
        });
  }

  private void choose() {
    List<GroupMember> voters = new ArrayList<>(dn.withRows());
    if (world.chance(0.5)) {
      Collections.reverse(voters);
    }
    boolean lacks = false;
    for (GroupMember voter : voters) {
      LogReader has = voter.reader();
      boolean knows = voter.hasReadAnew() || !rules.teachesWhatItKnows();
      if (!voter.up() || !knows) {
        continue;
      }
      if (voter.equals(forgot) || (rules.looksBeforeItTeaches() && lacks(voter))) {
        lacks = true;
        continue;
      }
      source = voter;
      log = has;
      next = firstKept(voter);
      nextOfTail = 0;
      forgot = null;
      sources++;
      feed();
      return;
    }
    forgot = null;
    if (lacks) {
      cloneOne();
    }
  }

  /** Whether something that is settled is neither in a log nor here. */
  private boolean lacks(GroupMember voter) {
    LogReader has = voter.reader();
    BitSet missing = (BitSet) has.settled().clone();
    missing.andNot(fed());
    has.logged.stream()
        .skip(firstKept(voter))
        .takeWhile(logged -> logged.index < has.settledAt())
        .forEach(logged -> missing.clear(logged.gtid));
    return rules.teachesWithoutGaps() && !missing.isEmpty();
  }

  private static int firstKept(GroupMember voter) {
    int first = 0;
    List<Logged> logged = voter.reader().logged;
    while (first < logged.size() && logged.get(first).index <= voter.forgotten()) {
      first++;
    }
    return first;
  }

  private void cloneOne() {
    cloning = true;
    world.after(
        world.between(1_000, 10_000),
        () -> {
          cloning = false;
          Optional<GroupMember> donor =
              dn.withRows().stream().filter(GroupMember::isFed).findFirst();
          if (runs && donor.isPresent()) {
            endMysqld();
            engine.become(donor.get().engine());
            runs = true;
            clones++;
          }
        });
  }

  // What is sent.

  private void feed() {
    if (!runs || feeding || cloning) {
      return;
    }
    Optional<LogReader> sent = log();
    GroupMember from = source;
    if (sent.isEmpty() || from == null) {
      ask();
      return;
    }
    int read = next;
    Logged one = next(sent.get());
    int kept = firstKept(from);
    if (read < kept && one != null) {
      if (rules.endsWhereItHasForgotten()) {
        source = null;
        return;
      }
      next = Math.max(next, kept);
      one = next(sent.get());
    }
    boolean looked = one == null || one.index > sent.get().settledAt();
    if (!rules.looksBeforeItTeaches() && looked && lacks(from)) {
      forgot = from;
      source = null;
      return;
    }
    if (one != null) {
      Logged sends = one;
      dn.checks.learns(sends, engine.set());
      execute(one.gtid, () -> engine.execute(sends.gtid, sends.arrival, sends.change));
    } else if (!rules.teachesWhatIsCommitted()) {
      tail();
    }
  }

  private @Nullable Logged next(LogReader sent) {
    while (next < sent.logged.size() && engine.has(sent.logged.get(next).gtid)) {
      next++;
    }
    return next < sent.logged.size() ? sent.logged.get(next) : null;
  }

  private void execute(int gtid, Runnable executes) {
    BitSet most = limit;
    if (most != null && !most.get(gtid)) {
      return;
    }
    underWay = gtid;
    feeding = true;
    int then = life;
    world.after(
        dn.applyMicros(),
        () -> {
          if (life == then) {
            engine.nextGroup();
            executes.run();
            underWay = 0;
            feeding = false;
            feed();
          }
        });
  }

  /** What is in the log of its source, and perhaps not of others. */
  private void tail() {
    RaftMember<GroupEntry> from = dn.raft.member(source == null ? 0 : source.id());
    List<RaftEntry<GroupEntry>> entries = from.log();
    for (int i = Math.max(from.committed(), nextOfTail); i < entries.size(); i++) {
      GroupEntry entry = entries.get(i).entry();
      if (entry != null
          && entry.body() instanceof Body.Transaction one
          && !engine.has(one.gtid())) {
        nextOfTail = i + 1;
        execute(one.gtid(), () -> engine.execute(one.gtid(), one.arrival(), one.change()));
        return;
      }
    }
  }

  // What is read of it.

  @Override
  public boolean isFed() {
    return runs && !cloning && log().isPresent();
  }

  @Override
  public int mysqldLife() {
    return life;
  }

  @Override
  public ModelEngine engine() {
    return engine;
  }

  @Override
  public BitSet fed() {
    BitSet all = (BitSet) engine.set().clone();
    if (underWay > 0) {
      all.set(underWay);
    }
    return all;
  }

  @Override
  public void hold(@Nullable BitSet most) {
    limit = most;
    feed();
  }

  /** Whether nothing is left to do. */
  boolean idle() {
    Optional<LogReader> sent = log();
    return runs && !cloning && !feeding && sent.isPresent() && next(sent.get()) == null;
  }

  @Override
  public String toString() {
    return "learner";
  }
}
