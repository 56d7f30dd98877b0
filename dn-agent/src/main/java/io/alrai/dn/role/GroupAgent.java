package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.force.Outlook;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.LogSource;
import io.alrai.dn.group.VoterLog;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.ship.DnLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a DN's group: its mysqld follows the group's log, and writes while this member leads.
 * One thread of its own changes the role; public methods may be called from any thread.
 *
 * <pre>
 *           its mysqld answers            elected                all is applied
 *  STARTING -----------------> FOLLOWING ---------> PROMOTING -----------------> LEADING <--> HANDING_OVER
 *     ^                                                 |                           |              |
 *     |                                                 v                           |              |
 *     +---- its mysqld is killed ------------------ DEMOTING <----------------------+--------------+
 *                                             another leads, or the mysqld has ended
 * </pre>
 *
 * <p>Where its mysqld lacks rows that the log does not have any more, it is REBUILDING in place of
 * FOLLOWING, until it has cloned another one.
 *
 * <p>There is one way to lead, whatever was before: a mysqld starts without a log of its own,
 * applies what the group has, and then writes.
 */
public final class GroupAgent implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GroupAgent.class);

  /** How long a planned change of the leader waits for statements; what runs longer is ended. */
  private static final Duration LAST_STATEMENTS = Duration.ofSeconds(1);

  private static final Duration KILL_BOUND = Duration.ofSeconds(30);

  /** An elected member whose mysqld does not answer for so long lets another one lead. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final GroupConfig config;
  private final Member member;
  private final GroupView view;
  private final GroupLog groupLog;
  private final VoterLog teaches;
  private final GroupFollower follower;
  private final Promotion promotion;
  private final MemberReport report;
  private final MemberHealth health;
  private final Successors successors;
  private final LeaderChanges changes;
  private final Rebuild rebuild;
  private final Thread thread;

  /** What the role's thread waits for. */
  private final MemberChanges changed;

  private volatile boolean closing;
  private volatile Role role = Role.STARTING;

  // The role's thread only:
  private @Nullable LeadingTerm leading;

  /** The life of the mysqld that follows the group's log. */
  private long followed;

  /** When the mysqld was seen last, and how long that may be ago before another one shall lead. */
  private long answeredNanos;

  private long patienceNanos = PATIENCE.toNanos();

  /** One that has its seat, of which nothing is at work yet. */
  GroupAgent(
      GroupSeat seat, Member member, LeaderContext leads, Supplier<Optional<Donors>> donors) {
    this.config = seat.config();
    this.changed = seat.changed();
    this.view = seat.view();
    this.groupLog = seat.log();
    this.member = member;
    LogSource source = new LogSource(groupLog, view::knownUpTo, member.context().nanos());
    this.teaches = new VoterLog(source, view, groupLog, member.context().nanos());
    this.follower = new GroupFollower(config.name(), member, view, source, groupLog, teaches);
    this.successors = new Successors(config.name(), groupLog::othersWithRows, groupLog::handOver);
    this.changes = new LeaderChanges(config.name(), changed::note);
    this.health =
        new MemberHealth(
            config.name(), member, groupLog, view, follower, () -> role, changes, leads);
    successors.prefer(health::best);
    successors.mayAsk(health::ready);
    this.promotion =
        new Promotion(
            config.name(),
            member,
            groupLog,
            view,
            teaches,
            follower,
            leads,
            health.brake(),
            changed::note);
    this.rebuild = Rebuild.of(config.name(), member, leads.bounds(), donors, changed::note);
    this.report = new MemberReport(config, groupLog, view, follower, rebuild, health);
    this.thread = Thread.ofPlatform().name("role-" + config.name()).unstarted(this::run);
  }

  /**
   * A member that votes; its mysqld does not run yet.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withGroup}
   * @param donors the agents of the members, which may not be known yet
   * @throws AlraiException why the log cannot be used
   */
  public static GroupAgent join(
      DnId dn,
      MysqldInstance instance,
      MemberContext context,
      LeaderContext leads,
      GroupConfig config,
      Supplier<Optional<Donors>> donors) {
    MemberChanges changed = new MemberChanges();
    Member member = Member.ofGroup(dn, instance, context, changed);
    boolean joined = false;
    try {
      GroupSeat seat = GroupSeat.take(config, changed, context.nanos());
      joined = true;
      return new GroupAgent(seat, member, leads, donors);
    } finally {
      if (!joined) {
        member.close();
      }
    }
  }

  /**
   * Starts the mysqld; returns when that answers. It may lead by then, or not yet. Once.
   *
   * @throws MysqldException why the mysqld does not start; then this is to be closed
   */
  public void start(MemberListener told) {
    begin(told);
    member.start();
  }

  /**
   * As {@link #start}, with a mysqld that runs and writes nothing.
   *
   * @param life of the mysqld in which it has all that the group has, as if it had followed
   */
  void goOn(long life, MemberListener told) {
    followed = life;
    begin(Role.FOLLOWING, "its mysqld has all that its group has");
    begin(told);
  }

  private void begin(MemberListener told) {
    changed.report(told);
    answeredNanos = nanos();
    follower.start();
    health.start();
    thread.start();
  }

  /** What it does now. */
  public Role role() {
    return role;
  }

  /** How it is; asks the mysqld, which may take as long as that is slow. */
  public MemberStatus status() throws InterruptedException {
    return report.status(role, changed.life() != 0);
  }

  /** What it would go on with as the whole group, and who else answers. Blocking. */
  public GroupOutlook outlook() {
    return Outlook.of(config.name(), groupLog, view.reserved().millis());
  }

  /** See {@link GroupView#fate}. */
  public CommitFate fate(long term, long connection, HlcTimestamp sent) {
    return view.fate(term, connection, sent);
  }

  /** Its mysqld. */
  public MysqldSupervisor supervisor() {
    return member.supervisor();
  }

  /** The log of its group, which says who is in it, and which its leader has others join. */
  public GroupLog groupLog() {
    return groupLog;
  }

  /** What it sends to learners. */
  VoterLog log() {
    return teaches;
  }

  /** Its clock. */
  public PersistentClock clock() {
    return member.clock();
  }

  /**
   * Has another member elected at once, for tests: commits that are under way may be lost or not.
   */
  CompletableFuture<Void> handOver(String to) {
    return groupLog.handOver(to);
  }

  /**
   * Lets another member lead, in order: what was begun is answered, what comes meanwhile has not
   * run and can be sent again, and nothing is lost (docs/design/0076).
   *
   * @return completes when that one is elected; fails with an {@link AlraiException} that says why
   *     it is not: then this one leads on, or whoever is elected
   */
  public CompletableFuture<Void> changeLeader(String to) {
    return changes.ask(to);
  }

  /** Lets another one lead, if this one does; returns when that is so, or cannot be. */
  public void leave() {
    changes.leave(successors.all(), () -> role == Role.LEADING);
  }

  /** Has its mysqld get all rows again, or gives that up; throws while it leads, or is about to. */
  public void rebuild(boolean wanted) {
    rebuild.want(wanted, role);
    changed.note();
  }

  /** What it serves while it follows; the DN's log is asked for at whoever leads. */
  public ServedViews reads(Supplier<Optional<DnLog>> log) {
    return follower.reads(log);
  }

  /** Lets another member clone its mysqld, which it asks; throws where it has not all rows. */
  public DonorLogin offerRows() throws InterruptedException {
    return RowOffer.of(member, role);
  }

  // The role's thread.

  private void run() {
    try {
      while (!closing) {
        long since = changed.count();
        try {
          if (!step()) {
            changed.await(since);
          }
        } catch (AlraiException | MysqldException refused) {
          log.warn("{} cannot become what it should: {}", config.name(), refused.getMessage());
          begin(Role.DEMOTING, "it failed");
          patienceNanos = 0; // another one may be able to lead
          startAnew(changed.life(), true);
          changed.await(changed.count());
        }
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException defect) {
      log.error("{} cannot go on", config.name(), defect);
      changed.listener().failed(defect);
    } finally {
      endLead();
      begin(Role.CLOSED, "asked to");
    }
  }

  private void begin(Role next, String reason) {
    if (role != next) {
      log.info("{}: {} -> {} ({})", config.name(), role, next, reason);
      role = next;
    }
  }

  /** Does what is due; false when nothing is. */
  private boolean step() throws InterruptedException {
    if (view.isDropped()) {
      return leaveForGood();
    }
    long now = changed.life();
    long term = view.term();
    LeadingTerm present = leading;
    if (present != null && present.holds(term, now)) {
      answeredNanos = nanos();
      Optional<LeaderChange> change = changes.wanted();
      if (change.isPresent()) {
        change(present, change.get());
      }
      return change.isPresent();
    }
    changes.refuse();
    if (present != null) {
      begin(Role.DEMOTING, present.whyNot(term, now));
      if (term > 0) {
        // it is elected still: nobody need wait until this lead is closed and its mysqld runs again
        patienceNanos = 0;
        successors.takeOver();
      }
      endLead();
      startAnew(present.life(), term > 0);
      return true;
    }
    if (now == 0) {
      begin(Role.STARTING, "its mysqld does not answer");
      if (term > 0 && nanos() - answeredNanos > patienceNanos) {
        patienceNanos = PATIENCE.toNanos();
        answeredNanos = nanos();
        successors.letAnotherLead("its mysqld does not answer");
      }
      return false;
    }
    answeredNanos = nanos();
    if (rebuilds(now, term)) {
      return false;
    }
    if (followed != now) {
      follow(now);
      return true;
    }
    if (term == 0 || !groupLog.leads()) {
      return false;
    }
    if (health.refusesLead()) {
      health.refuse(successors);
      return false;
    }
    promote(term, now);
    return true;
  }

  private void promote(long term, long now) throws InterruptedException {
    rebuild.leads();
    begin(Role.PROMOTING, "elected in term " + term);
    Optional<LeadingTerm> promoted =
        promotion.promote(
            term,
            now,
            successors.impatience(),
            () -> view.term() == term && changed.life() == now && !closing);
    if (promoted.isEmpty()) {
      begin(Role.DEMOTING, "it was not promoted");
      patienceNanos = 0;
      startAnew(now, true);
      return;
    }
    leading = promoted.get();
    patienceNanos = PATIENCE.toNanos();
    begin(Role.LEADING, "all is applied");
    changed.listener().leads(term, promoted.get().lead(), promoted.get().reservation());
  }

  private boolean leaveForGood() {
    if (role == Role.DROPPED) {
      return false;
    }
    endLead();
    health.close();
    follower.close();
    begin(Role.DROPPED, "its group goes on without it");
    member.stop();
    return true;
  }

  private void follow(long now) throws InterruptedException {
    follower.begin();
    followed = now;
    begin(Role.FOLLOWING, "its mysqld answers");
  }

  /** Whether its mysqld has to get its rows from another member first, or is about to. */
  private boolean rebuilds(long now, long term) throws InterruptedException {
    rebuild.lives(now);
    Optional<String> lacks = follower.lacks(now);
    boolean leadsBefore = term > 0 && follower.errant().isEmpty();
    if (lacks.isEmpty() && (!rebuild.asked() || leadsBefore && !health.refusesLead())) {
      rebuild.forget();
      return false;
    }
    String why = lacks.orElse("asked to");
    follower.rebuilds(lacks.isPresent());
    followed = 0;
    begin(Role.REBUILDING, why);
    rebuild.step(why, now);
    if (term > 0) {
      successors.letAnotherLead(why);
    }
    return true;
  }

  /** The lead goes to another member, or it is served on. */
  private void change(LeadingTerm present, LeaderChange change) throws InterruptedException {
    long term = view.term();
    if (!change.isFit(config.name(), groupLog)) {
      return;
    }
    begin(Role.HANDING_OVER, change.to() + " shall lead");
    long since = nanos();
    changed.listener().leaves(LAST_STATEMENTS);
    follower.requireAlive();
    if (present.holds(term, changed.life())) {
      present.giveTimeBack(changed.listener().left());
    }
    CompletableFuture<Void> handed = groupLog.handOver(change.to());
    handed.whenComplete((done, error) -> changed.note());
    while (view.term() == term
        && !handed.isCompletedExceptionally()
        && nanos() - since < LeaderChanges.BOUND.toNanos()) {
      changed.await(changed.count());
    }
    if (view.term() != term) {
      long millis = TimeUnit.NANOSECONDS.toMillis(nanos() - since);
      log.info(
          "{}: {} was elected {} ms after it was asked for", config.name(), change.to(), millis);
      change.fulfil();
      return;
    }
    change.refuse(change.to() + " was not elected in time: " + config.name() + " leads on");
    if (present.holds(term, changed.life())) {
      begin(Role.LEADING, "it was not handed over");
      changed.listener().leads(term, present.lead(), present.goOn());
    }
  }

  private void endLead() {
    LeadingTerm last = leading;
    leading = null;
    if (last != null) {
      changed.listener().follows();
      last.close();
    }
  }

  /** What its mysqld has and the group has not goes with the mysqld's life. */
  private void startAnew(long ending, boolean failed) throws InterruptedException {
    follower.end();
    followed = 0;
    if (ending == 0 || changed.life() != ending) {
      return;
    }
    member.endLife(failed);
    if (!changed.awaitEnd(ending, KILL_BOUND, member.context().nanos())) {
      log.error("{}: its mysqld does not end {} after SIGKILL", config.name(), KILL_BOUND);
      if (view.term() > 0) {
        successors.letAnotherLead("its mysqld does not answer");
      }
    }
  }

  private long nanos() {
    return member.context().nanos().getAsLong();
  }

  /** Ends its part in the group, the mysqld last; another member leads on. */
  @Override
  public void close() {
    leave();
    closing = true;
    if (view.term() > 0) {
      successors.letAnotherLead("its mysqld does not answer");
    }
    changed.note();
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    health.close();
    rebuild.close();
    follower.close();
    member.stop();
    groupLog.close();
    member.close();
  }
}
