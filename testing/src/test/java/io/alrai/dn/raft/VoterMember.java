package io.alrai.dn.raft;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.EntryCodec;
import io.alrai.dn.group.GroupEntry;
import io.alrai.dn.group.GroupReader;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.GroupView.Progress;
import io.alrai.dn.group.LogRelease;
import io.alrai.dn.group.MissingRows;
import io.alrai.dn.group.ReadLog;
import io.alrai.dn.group.Shipped;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent does with its part of a model's log, as GroupAgent and GroupFollower do: it feeds
 * its mysqld, releases, asks what is missing, has it cloned, leads. What is committed, released and
 * missing is found by the product's classes.
 */
final class VoterMember {
  private static final int BATCH = 8;
  private static final int MOST_STUCK = 5;

  /** As the product's. */
  enum Role {
    STARTING,
    FOLLOWING,
    REBUILDING,
    PROMOTING,
    LEADING
  }

  private record Pending(long index, VoterRow row) {}

  private final MembersRun run;
  private final Voter voter;
  private final MembersRules rules;
  private final VoterMysqld mysqld;
  private final VoterClone clone;

  private GroupView view;
  private LogRelease release;
  private long released = -1;
  private Role role = Role.STARTING;
  private String lacking = "";
  private int judged;
  private int followed;
  private long ticks;
  private long feedAgain;
  private int stuck;
  private @Nullable GroupReader reader;
  private long cursor;

  // While it leads:
  private long leadTerm;
  private int leadLife;
  private long beginIndex;
  private @Nullable Progress before;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private long number;
  private GtidSet seen = new GtidSet();
  private int turn;

  VoterMember(MembersRun run, Voter voter) {
    this.run = run;
    this.voter = voter;
    this.rules = run.rules;
    this.mysqld = new VoterMysqld(run, voter);
    this.clone = new VoterClone(run, voter, mysqld);
    this.view = view();
    this.release = new LogRelease(upTo -> released = Math.max(released, upTo));
  }

  private GroupView view() {
    return new GroupView(
        voter.name(),
        new GroupView.Listener() {
          @Override
          public void changed() {}

          @Override
          public void failed(Throwable reason) {
            throw new IllegalStateException(reason);
          }
        },
        () -> run.world.now() * 1_000);
  }

  VoterMysqld mysqld() {
    return mysqld;
  }

  VoterClone rebuild() {
    return clone;
  }

  Role role() {
    return role;
  }

  /** Nothing is known to be missing, and it is fed. */
  boolean follows() {
    return role == Role.FOLLOWING && mysqld.life() != 0;
  }

  boolean leads() {
    return role == Role.LEADING;
  }

  long released() {
    return released;
  }

  long unapplied() {
    return mysqld.executed().missingOf(view.progress().transactions());
  }

  // What the log says.

  void committed(long index, VoterEntry entry) {
    byte[] content = entry.content();
    if (content == null || !voter.keepsRows()) {
      return;
    }
    view.committed(entry.term(), index, ByteBuffer.wrap(content));
    boolean own = leads() && entry.term() == leadTerm;
    while (own && !pending.isEmpty() && pending.peek().index() == index) {
      VoterRow row = pending.remove().row();
      mysqld.apply(row);
      mysqld.flush();
      run.checks.acknowledged(row);
    }
  }

  void skipped(long upTo) {
    view.skipped(upTo);
    released = Math.max(released, upTo);
    closeReader();
  }

  void leads(long term) {
    view.leads(term);
  }

  void leadsNoMore() {
    view.follows();
  }

  void dropped() {
    view.dropped();
    stopLeading();
    clone.end();
  }

  void crash() {
    pending.clear();
    role = Role.STARTING;
    closeReader();
    clone.crash();
    mysqld.kill();
  }

  void restart() {
    view = view();
    release = new LogRelease(upTo -> released = Math.max(released, upTo));
    released = voter.log().snapshot();
    lacking = "";
    judged = 0;
    followed = 0;
    mysqld.start();
  }

  private void closeReader() {
    GroupReader last = reader;
    reader = null;
    if (last != null) {
      last.close();
    }
  }

  // What is due.

  void tick() {
    if (!voter.keepsRows()) {
      return;
    }
    ticks++;
    step();
    if (ticks % 6 == 0) {
      look();
    }
    if (leads()) {
      write();
    }
  }

  /** Asks one of the others that have rows. */
  void handOver() {
    List<Integer> others = run.othersWithRows(voter);
    if (!others.isEmpty() && !voter.handsOver()) {
      voter.handOver(others.get(turn++ % others.size()));
    }
  }

  private void look() {
    int life = mysqld.life();
    if (life == 0) {
      return;
    }
    view.rememberPlace();
    GtidSet executed = mysqld.executed().copy();
    if (rules.keepsWhatIsNotFlushed()) {
      mysqld.flush();
    }
    if (role != Role.REBUILDING) {
      Progress now = view.progress();
      release.look(
          rules.keepsWhatIsNotSettled()
              ? now
              : new Progress(now.index(), now.transactions(), now.transactions(), Long.MAX_VALUE),
          executed);
    }
    if (role == Role.FOLLOWING) {
      lacking = missing();
    }
  }

  private String missing() {
    return rules.asksWhatIsMissing()
        ? MissingRows.of(mysqld.executed(), view.progress(), release.released()).orElse("")
        : "";
  }

  private void step() {
    long term = view.term();
    int life = mysqld.life();
    if (role == Role.PROMOTING || role == Role.LEADING) {
      if (term != leadTerm || life != leadLife) {
        if (term > 0) {
          handOver();
        }
        stopLeading();
        return;
      }
      if (role == Role.PROMOTING) {
        promote();
      }
      return;
    }
    if (life == 0) {
      role = Role.STARTING;
      if (term > 0 && run.world.chance(0.2)) {
        handOver();
      }
      return;
    }
    if (rebuilds(life, term)) {
      return;
    }
    if (followed != life) {
      closeReader();
      followed = life;
      role = Role.FOLLOWING;
    }
    feed();
    if (term > 0 && voter.ready()) {
      begin(term, life);
    }
  }

  private boolean rebuilds(int life, long term) {
    if (followed != life) {
      clone.restarted();
    }
    if (judged != life) {
      lacking = missing();
      judged = life;
    }
    if (lacking.isEmpty() && (!clone.asked() || term > 0)) {
      clone.forget();
      return false;
    }
    followed = 0;
    role = Role.REBUILDING;
    closeReader();
    clone.step();
    if (term > 0) {
      handOver();
    }
    return true;
  }

  private void stopLeading() {
    int last = leadLife;
    pending.clear();
    before = null;
    followed = 0;
    role = Role.STARTING;
    closeReader();
    if (mysqld.life() == last) {
      mysqld.kill();
    }
  }

  // Feeding.

  private void feed() {
    if (run.world.now() < feedAgain || run.world.chance(run.slowFeeds)) {
      return;
    }
    GroupReader open = reader;
    if (open == null) {
      GtidSet known = mysqld.executed().copy();
      cursor = Math.max(voter.log().first(), view.knownUpTo(known) + 1);
      open = ReadLog.open(known, this::next, index -> read(index));
      reader = open;
    }
    try {
      Shipped next;
      for (int i = 0; i < BATCH && (next = open.poll(0)) != null; i++) {
        mysqld.apply(new VoterRow(next.gtid(), next.transaction().connectionId()));
        stuck = 0;
      }
    } catch (BinlogException gone) {
      closeReader(); // the replica comes again
      feedAgain = run.world.now() + 20_000;
      if (++stuck > MOST_STUCK) {
        stuck = 0;
        mysqld.kill(); // as ApplierWatch does
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable LogEntry next() {
    while (cursor <= voter.told()) {
      if (cursor < voter.log().first()) {
        throw new BinlogException("entry " + cursor + " is not kept any more");
      }
      Optional<LogEntry> found = read(cursor++);
      if (found.isPresent()) {
        return found.get();
      }
    }
    return null;
  }

  private Optional<LogEntry> read(long index) {
    if (!voter.log().has(index)) {
      throw new BinlogException("entry " + index + " is not kept any more");
    }
    VoterEntry entry = voter.log().get(index);
    byte[] content = entry.content();
    return content == null
        ? Optional.empty()
        : Optional.of(new LogEntry(entry.term(), index, ByteBuffer.wrap(content)));
  }

  // Leading.

  private void begin(long term, int life) {
    leadTerm = term;
    leadLife = life;
    before = null;
    GroupEntry first = new GroupEntry.Begin(reserved(), view.progress().settled());
    beginIndex = voter.append(term, entry(first, List.of(), 1));
    role = Role.PROMOTING;
    if (beginIndex < 0) {
      stopLeading();
    }
  }

  private void promote() {
    if (before == null && voter.told() >= beginIndex) {
      before = view.progress();
    }
    feed();
    Progress all = before;
    if (all == null
        || rules.appliesAllFirst() && !mysqld.executed().containsAll(all.transactions())) {
      return;
    }
    if (rules.asksWhatIsMissing() && MissingRows.of(mysqld.executed(), all).isPresent()) {
      handOver();
      stopLeading();
      return;
    }
    run.checks.leads(voter, beginIndex);
    closeReader();
    mysqld.flush();
    role = Role.LEADING;
    seen = new GtidSet();
    number =
        mysqld.rows().stream()
            .filter(row -> row.gtid().source().equals(mysqld.uuid()))
            .mapToLong(row -> row.gtid().number())
            .max()
            .orElse(0);
  }

  private static HlcTimestamp reserved() {
    return HlcTimestamp.ZERO;
  }

  private VoterEntry entry(GroupEntry entry, List<VoterRow> ends, int parts) {
    return new VoterEntry(leadTerm, EntryCodec.encode(entry), ends, parts, null);
  }

  private void write() {
    if (ticks % run.settleTicks == 0) {
      // decisions are asked for a while
      GtidSet settled = GtidSet.parse(view.progress().settled() + "," + seen);
      voter.append(leadTerm, entry(new GroupEntry.Clock(reserved(), settled), List.of(), 1));
      seen = view.progress().transactions();
    }
    if (run.isQuiet() || pending.size() > 6 || run.world.chance(0.4)) {
      return;
    }
    VoterRow row = new VoterRow(new Gtid(mysqld.uuid(), "", number + 1), run.value());
    long index = -1;
    List<GroupEntry> parts = MembersEntries.of(row, run.world.chance(0.2) ? 6 : 1);
    for (GroupEntry part : parts) {
      List<VoterRow> ends = part == parts.getLast() ? List.of(row) : List.of();
      index = voter.append(leadTerm, entry(part, ends, parts.size()));
      if (index < 0) {
        return; // it may be committed in part, and counts for nothing
      }
    }
    number++;
    if (leads()) {
      pending.add(new Pending(index, row));
    }
  }

  @Override
  public String toString() {
    return role + " " + mysqld.rows().size() + " rows " + lacking;
  }
}
