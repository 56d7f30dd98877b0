package io.alrai.dn.raft;

import io.alrai.dn.gate.World;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in a model's group, as Ratis keeps it: votes by messages, with a vote that only
 * asks before, a log whose beginning goes, and a configuration that its log says. Microseconds.
 */
final class Voter {
  private static final long TICK = 4_000;
  private static final long BEAT = 8_000;
  private static final long PATIENCE_MIN = 60_000;
  static final long PATIENCE_MAX = 140_000;
  private static final long ALONE = 120_000;

  private final int id;
  private final MembersRun run;
  private final World world;
  private final MembersRules rules;
  private final Keeps keeps;
  private final VoterMember member;

  // On disk:
  private VoterLog log;
  private long term;
  private boolean dropped;

  /** It waits to be added, and hears what was before. */
  private boolean waits;

  private boolean up = true;
  private int incarnation;
  private long committed = -1;
  private long told = -1;
  private int leader = -1;
  private long heardAt;
  private long patience;
  private long beatAt;
  private final VoterElection election;
  private @Nullable VoterLead lead;

  /** Up to where others have heard of commits. */
  private final Map<Integer, Long> commits = new HashMap<>();

  Voter(MembersRun run, int id, Keeps keeps, Ballot founders) {
    this.run = run;
    this.world = run.world;
    this.rules = run.rules;
    this.id = id;
    this.keeps = keeps;
    this.log = new VoterLog(founders);
    this.member = new VoterMember(run, this);
    this.election = new VoterElection(run, this);
    begin();
  }

  int id() {
    return id;
  }

  String name() {
    return "m" + id;
  }

  GroupMember known() {
    return new GroupMember(name(), "h:" + id, keeps);
  }

  boolean keepsRows() {
    return keeps == Keeps.ROWS;
  }

  MembersRun run() {
    return run;
  }

  VoterMember member() {
    return member;
  }

  VoterLog log() {
    return log;
  }

  long term() {
    return term;
  }

  boolean up() {
    return up;
  }

  boolean dropped() {
    return dropped;
  }

  int incarnation() {
    return incarnation;
  }

  long committed() {
    return committed;
  }

  long told() {
    return told;
  }

  @Nullable VoterLead lead() {
    return lead;
  }

  /** It leads and has heard of all that was committed before. */
  boolean ready() {
    VoterLead now = lead;
    return now != null && told >= now.firstOfTerm;
  }

  // Life.

  private void begin() {
    waits = !log.ballot().has(id);
    waitAnew();
    tick(incarnation);
  }

  /** kill -9: of what was not synced any part is lost. */
  void crash() {
    stopLeading();
    up = false;
    incarnation++;
    long left = world.between(log.synced(), log.last());
    if (left < log.last()) {
      log.truncate(left + 1);
    }
    log.sync(log.last());
    member.crash();
  }

  /** It hears anew of what is committed, from what it has released on. */
  void restart(boolean logIsLost) {
    if (logIsLost) {
      log = new VoterLog(run.founders());
      term = 0;
      election.newTerm();
    }
    up = true;
    leader = -1;
    election.over();
    committed = log.snapshot();
    told = committed;
    commits.clear();
    member.restart();
    begin();
  }

  void later(long micros, Runnable action) {
    int then = incarnation;
    world.after(
        micros,
        () -> {
          if (up && incarnation == then) {
            action.run();
          }
        });
  }

  private void tick(int life) {
    if (!up || life != incarnation || dropped) {
      return;
    }
    long now = world.now();
    VoterLead leads = lead;
    if (leads == null) {
      if (now - heardAt > patience) {
        election.stand(true);
      }
    } else {
      beat(leads, now);
    }
    member.tick();
    shorten();
    world.after(TICK, () -> tick(life));
  }

  /** What nobody needs goes by whole files, and what is too much goes, too. */
  private void shorten() {
    if (!world.chance(0.15)) {
      return;
    }
    long upTo = GroupStateMachine.notNeeded(keeps, told, member.released());
    if (upTo > log.snapshot() && upTo <= told) {
      log.snapshot(upTo);
      long all = upTo;
      for (int other : log.ballot().all()) {
        all = Math.min(all, other == id ? committed : commits.getOrDefault(other, -1L));
      }
      log.purge(all - 1);
    }
    long needed = rules.retainsWhatIsNeeded() ? log.snapshot() : told;
    long surplus = log.size() - run.retained;
    if (surplus > 0) {
      log.purge(LogRetention.upTo(log.files(), surplus, needed));
      if (log.snapshot() < log.first() - 1) {
        log.snapshot(log.first() - 1);
      }
    }
  }

  /** Its group goes on without it. */
  void drop() {
    if (rules.droppedVotesAreVoid()) {
      dropped = true;
      stopLeading();
      member.dropped();
    }
  }

  // Elections.

  void enter(long newer) {
    if (newer > term) {
      term = newer;
      election.newTerm();
      leader = -1;
      stopLeading();
    }
  }

  private void stopLeading() {
    VoterLead last = lead;
    lead = null;
    if (last != null) {
      last.end();
      member.leadsNoMore();
    }
  }

  boolean waits() {
    return waits;
  }

  /** Another one leads, as far as this member knows. */
  boolean isLed() {
    return lead != null || leader >= 0 && world.now() - heardAt < PATIENCE_MIN;
  }

  /** It waits for a while before it wants to be elected. */
  void waitAnew() {
    heardAt = world.now();
    patience = world.between(PATIENCE_MIN, PATIENCE_MAX);
  }

  void standsIn(long next) {
    leader = -1;
    term = next;
  }

  VoterElection election() {
    return election;
  }

  void elected() {
    run.checks.elected(term, id);
    leader = id;
    lead = new VoterLead(this, log.last() + 1, world.now());
    add(VoterEntry.of(term, log.ballot()));
  }

  // Leading.

  private void beat(VoterLead leads, long now) {
    if (now - leads.since > ALONE
        && !log.ballot()
            .agree(other -> other == id || now - leads.answered.getOrDefault(other, 0L) < ALONE)) {
      leader = -1;
      stopLeading();
      return;
    }
    leads.look();
    if (lead != leads) {
      return;
    }
    if (now - beatAt >= BEAT) {
      beatAt = now;
      for (int to : leads.sentTo()) {
        if (leads.match.containsKey(to)) {
          leads.next.put(to, leads.match(to) + 1);
        }
        leads.send(to);
      }
    }
    if (ready() && keeps == Keeps.LOG && rules.loggersHandOver()) {
      member.handOver();
    }
    leads.hand(now);
  }

  boolean handsOver() {
    VoterLead leads = lead;
    return leads != null && leads.hands();
  }

  /** Has another one elected as soon as that has all. */
  void handOver(int to) {
    VoterLead leads = lead;
    if (leads != null) {
      leads.handOver(to);
    }
  }

  void standNow(long of) {
    if (of == term && lead == null && !dropped) {
      election.stand(false);
    }
  }

  /** Says where the entry is; -1 where this member does not lead. */
  long append(long inTerm, VoterEntry entry) {
    VoterLead leads = lead;
    if (leads == null || inTerm != term || leads.hands()) {
      return -1;
    }
    add(entry);
    return log.last();
  }

  void add(VoterEntry entry) {
    log.add(entry);
    VoterLead leads = lead;
    if (leads != null) {
      leads.sentTo().forEach(leads::send);
      sync(log.last(), log.lastTerm(), leads::count);
    }
  }

  /** Others have heard of commits. */
  Map<Integer, Long> commits() {
    return commits;
  }

  void answered(int from, long of, boolean fits, long has, long its) {
    enter(of);
    VoterLead leads = lead;
    if (leads != null && of == term) {
      commits.merge(from, its, Math::max);
      leads.answered(from, fits, has);
    }
  }

  void commit(long upTo) {
    committed = upTo;
    tell();
  }

  private void tell() {
    int then = incarnation;
    while (told < committed && incarnation == then && !dropped) {
      long index = told + 1;
      VoterEntry entry = log.get(index);
      told = index;
      run.checks.committed(this, index, entry);
      VoterLead leads = lead;
      Ballot ballot = entry.ballot();
      member.committed(index, entry);
      if (leads != null && ballot != null && index == log.ballotIndex()) {
        leads.committed(ballot);
        if (!log.ballot().has(id)) {
          drop();
        }
      }
      if (lead != null && leads == lead && index == leads.firstOfTerm) {
        member.leads(term);
      }
    }
  }

  // Following.

  private boolean follows(Voter by, long of) {
    enter(of);
    if (of < term || dropped || lead != null) {
      return false;
    }
    leader = by.id;
    election.over();
    heardAt = world.now();
    return true;
  }

  void take(
      Voter by,
      long of,
      long before,
      long termBefore,
      List<VoterEntry> entries,
      long known,
      Map<Integer, Long> all) {
    if (!follows(by, of)) {
      answer(by, false, log.last());
      return;
    }
    commits.putAll(all);
    long at = before;
    List<VoterEntry> rest = entries;
    if (at < log.first() - 1) { // what is not there any more was the same
      int gone = (int) Math.min(rest.size(), log.first() - 1 - at);
      rest = rest.subList(gone, rest.size());
      at += gone;
    } else if (at > log.last() || log.term(at) != termBefore) {
      answer(by, false, Math.min(log.last(), at - 1));
      return;
    }
    for (VoterEntry entry : rest) {
      at++;
      if (log.has(at) && log.term(at) != entry.term()) {
        run.checks.cut(this, at);
        log.truncate(at);
      }
      if (at == log.last() + 1) {
        log.add(entry);
      }
    }
    waits &= !log.ballot().has(id);
    long has = at;
    sync(
        has,
        log.term(has),
        () -> {
          answer(by, true, has);
          hear(Math.min(known, has));
        });
  }

  private void hear(long known) {
    if (known > committed && known <= log.last()) {
      committed = known;
      tell();
    }
  }

  private void answer(Voter to, boolean fits, long has) {
    long of = term;
    long its = committed;
    run.send(id, to.id, () -> to.answered(id, of, fits, has, its));
  }

  /** The leader has not what this member lacks: docs/design/0072. */
  void mayBegin(Voter by, long of, long first, long firstTerm, long at, Ballot ballot) {
    if (!follows(by, of)) {
      answer(by, false, log.last());
      return;
    }
    if (committed >= first || first == 0) { // a late message, or all of the log is there
      answer(by, first != 0, first == 0 ? -1 : committed);
      return;
    }
    if (rules.believesRowsOnly() && !run.believes(this, by)) {
      return;
    }
    run.checks.skips(this, first);
    log.skip(first, firstTerm);
    log.learn(at, ballot);
    waits &= !ballot.has(id);
    committed = first;
    told = first;
    member.skipped(first);
    answer(by, true, first);
  }

  // The disk.

  private void sync(long upTo, long ofTerm, Runnable done) {
    if (log.synced() >= upTo) {
      done.run();
    } else {
      long now = term;
      later(
          world.between(20, 400),
          () -> {
            if (term == now && log.term(upTo) == ofTerm) {
              log.sync(upTo);
              done.run();
            }
          });
    }
  }

  @Override
  public String toString() {
    return name() + (lead == null ? "" : " leads") + (up ? " " : " down ") + log + " " + member;
  }
}
