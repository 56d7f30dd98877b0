package io.alrai.dn.gate.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.World;
import io.alrai.dn.gate.group.GroupEntry.Body;
import io.alrai.dn.gate.group.LogReader.Logged;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's process, and what is on its disk. Its mysqld is a follower, fed from the log, until
 * its member leads and the mysqld has all that the log has before.
 */
final class GroupMember implements RaftEvents<GroupEntry>, FedMysqld {
  private final World world;
  private final GroupDn dn;
  private final GroupRules rules;
  private final int id;
  private long offsetMillis;
  private final ModelEngine engine;
  private LogReader reader;
  private int incarnation;
  private boolean up = true;
  private boolean mysqldRuns = true;
  private boolean feeding;
  private int mysqldLife;
  private int fed;
  private int released;
  private int forgotten;

  /** In which it has led with all that was committed before. */
  private long ledTerm;

  /** What its log had at its start. */
  private int atStart;

  private int fedFromTail;
  private @Nullable ModelLeader leader;

  /** What is executed now; 0 for nothing. */
  private int underWay;

  /** All that its mysqld is fed; null for everything. */
  private @Nullable BitSet limit;

  GroupMember(World world, GroupDn dn, GroupRules rules, int id, long offsetMillis) {
    this.world = world;
    this.dn = dn;
    this.rules = rules;
    this.id = id;
    this.offsetMillis = offsetMillis;
    this.engine = new ModelEngine(world);
    this.reader = new LogReader(rules);
  }

  void begin() {
    later(world.between(500, 6_000), this::release);
  }

  int id() {
    return id;
  }

  boolean keepsRows() {
    return id != GroupDn.LOGGER;
  }

  boolean up() {
    return up;
  }

  long offsetMillis() {
    return offsetMillis;
  }

  void setOffset(long offset) {
    offsetMillis = offset;
  }

  @Override
  public ModelEngine engine() {
    return engine;
  }

  LogReader reader() {
    return reader;
  }

  RaftMember<GroupEntry> log() {
    return dn.raft.member(id);
  }

  @Nullable ModelLeader leader() {
    return leader;
  }

  /** The name of the next transaction but so many. */
  int gtid(int sequence) {
    return sequence * 2 + id;
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

  // What it hears.

  @Override
  public void committed(long term, int index, @Nullable GroupEntry entry) {
    dn.checks.committed(term, index, entry);
    if (entry == null) {
      return;
    }
    HlcTimestamp reservedBefore = reader.reserved();
    int loggedBefore = reader.logged.size();
    reader.take(term, index, entry);
    ModelLeader now = leader;
    if (now != null && entry.by() == now) {
      now.committed(term, entry, reservedBefore, loggedBefore);
    } else if (now != null) {
      now.heardOf(entry);
    }
    feed();
  }

  @Override
  public void leads(long term) {
    ledTerm = term;
    if (keepsRows()) {
      later(world.between(20, 3_000), () -> promote(term));
    } else {
      later(world.between(20, 1_000), this::handOver);
    }
  }

  @Override
  public void follows() {
    ModelLeader then = leader;
    // it may be long before anybody notices
    long unnoticed = world.chance(0.4) ? world.between(20, 2_000) : world.between(2_000, 60_000);
    later(
        unnoticed,
        () -> {
          if (then != null && leader == then) {
            restartMysqld();
          }
        });
  }

  // Leading.

  /** A member with the log alone gives leadership away, to one that has all of the log. */
  private void handOver() {
    if (!log().leads()) {
      return;
    }
    List<Integer> ready =
        dn.members().stream()
            .filter(m -> m.keepsRows() && m.up && m.log().hasAllOf(log()))
            .map(GroupMember::id)
            .toList();
    boolean given =
        !ready.isEmpty()
            && dn.raft.elect(ready.get((int) world.between(0, ready.size() - 1)), List.of(0, 1, 2));
    if (!given) {
      later(500, this::handOver);
    }
  }

  private void promote(long term) {
    ModelLeader old = leader;
    if (!mysqldRuns || !log().leads() || log().term() != term) {
      return;
    }
    if (old != null) {
      if (old.term != term) {
        restartMysqld();
      }
      return;
    }
    ModelLeader now = new ModelLeader(world, dn, this, rules, term);
    leader = now;
    now.begin();
  }

  /** kill -9 of the mysqld, whose next life begins as a follower. */
  void restartMysqld() {
    endMysqld();
    later(
        world.between(300, 10_000),
        () -> {
          mysqldRuns = true;
          feed();
          if (log().leads() && (ledTerm == log().term() || !rules.feedsLearners())) {
            promote(log().term());
          }
        });
  }

  private void endMysqld() {
    ModelLeader had = leader;
    leader = null;
    if (had != null) {
      had.end();
    }
    engine.crash();
    mysqldRuns = false;
    mysqldLife++;
    feeding = false;
    underWay = 0;
    fed = 0;
    fedFromTail = 0;
  }

  /** kill -9 of all of it, for at most that long. */
  void crash(long micros) {
    if (!up) {
      return;
    }
    up = false;
    log().crash();
    incarnation++;
    endMysqld();
    later(world.between(300, micros), this::restart);
  }

  private void restart() {
    up = true;
    reader = new LogReader(rules);
    released = 0;
    log().restart();
    atStart = log().log().size();
    begin();
    restartMysqld();
    dn.learner().ifPresent(GroupLearner::memberIsBack);
  }

  // Following.

  /** Whether it knows again what its log has forgotten. */
  boolean hasReadAnew() {
    return reader.settledAt() > 0 && log().committed() >= atStart;
  }

  /** Its log has nothing for others up to that entry, whoever reads it. */
  int forgotten() {
    return forgotten;
  }

  /** Lets the mysqld execute what comes next. */
  void feed() {
    ModelLeader now = leader;
    if (now != null && now.agent() != null || !mysqldRuns || feeding || !keepsRows()) {
      return;
    }
    if (now != null && now.awaits(executed())) {
      now.open();
      return;
    }
    Logged next = next();
    BitSet most = limit;
    if (next != null && most != null && !most.get(next.gtid)) {
      return;
    }
    if (next != null) {
      underWay = next.gtid;
      execute(() -> {
        if (!engine.has(next.gtid)) {
          engine.nextGroup();
          engine.execute(next.gtid, next.arrival, next.change);
        }
      });
    } else if (!rules.feedsCommittedEntries()) {
      feedTail();
    }
  }

  @Override
  public boolean isFed() {
    ModelLeader now = leader;
    return up && mysqldRuns && keepsRows() && (now == null || now.agent() == null);
  }

  @Override
  public int mysqldLife() {
    return mysqldLife;
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

  private void execute(Runnable next) {
    feeding = true;
    int then = mysqldLife;
    later(
        dn.applyMicros(),
        () -> {
          if (mysqldLife == then) {
            next.run();
            underWay = 0;
            feeding = false;
            feed();
          }
        });
  }

  private @Nullable Logged next() {
    while (fed < reader.logged.size() && engine.has(reader.logged.get(fed).gtid)) {
      fed++;
    }
    return fed < reader.logged.size() ? reader.logged.get(fed) : null;
  }

  /** How many transactions of what it has read it has executed, without a gap. */
  private int executed() {
    next();
    return fed;
  }

  /** What is in the log of this member, and perhaps not of others. */
  private void feedTail() {
    List<RaftEntry<GroupEntry>> entries = log().log();
    for (int i = Math.max(log().committed(), fedFromTail); i < entries.size(); i++) {
      GroupEntry entry = entries.get(i).entry();
      if (entry != null
          && entry.body() instanceof Body.Transaction transaction
          && !engine.has(transaction.gtid())) {
        fedFromTail = i + 1;
        execute(
            () -> engine.execute(transaction.gtid(), transaction.arrival(), transaction.change()));
        return;
      }
    }
  }

  /** What is on the disk of its mysqld need not be read anew. */
  private void release() {
    BitSet executed = rules.keepsWhatIsNotFlushed() ? engine.flush() : engine.set();
    int upTo = 0;
    while (released < reader.logged.size()) {
      Logged next = reader.logged.get(released);
      boolean unsettled =
          next.arrival instanceof Arrival.Decision && !reader.settled().get(next.gtid);
      int says = reader.settledAt();
      boolean goes = reader.settled().get(next.gtid) && next.index < says && says <= log().synced();
      boolean learned = rules.feedsLearners() && !goes;
      boolean needed = rules.keepsUnsettledDecisions() && unsettled || learned;
      boolean last = rules.keepsReservations() && next.index >= reader.reservedAt();
      if (unsettled && !last) {
        dn.unsettled(this);
      }
      if (needed || last || (keepsRows() && !executed.get(next.gtid))) {
        break;
      }
      upTo = next.index;
      released++;
    }
    boolean all = released == reader.logged.size();
    if (all && !rules.keepsReservations()) {
      upTo = reader.last();
    }
    if (upTo > 0) {
      log().release(upTo);
      if (rules.feedsLearners() && world.chance(0.4)) {
        forgotten = log().kept(); // whole files go
      }
    }
    if (!reader.logged.isEmpty() && reader.logged.size() - released <= 1) {
      dn.allReleased(this);
    }
    later(world.between(500, 6_000), this::release);
  }

  /** Whether nothing is left to do. */
  boolean idle() {
    return up && (!keepsRows() || (mysqldRuns && executed() == reader.logged.size()));
  }

  @Override
  public String toString() {
    return "member " + id;
  }
}
