package io.alrai.dn.gate.group;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.ModelAgent;
import io.alrai.dn.gate.ModelChange;
import io.alrai.dn.gate.ModelLead;
import io.alrai.dn.gate.ModelMysqld.Entry;
import io.alrai.dn.gate.ModelSweep;
import io.alrai.dn.gate.ModelViews.View;
import io.alrai.dn.gate.World;
import io.alrai.dn.gate.group.GroupEntry.Body;
import io.alrai.dn.gate.group.LogReader.Logged;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The lead of one member in one term, until its member hears that it leads no more, or its mysqld
 * dies; whether it still leads it does not know.
 */
final class ModelLeader implements ModelLead {
  private static final long PATIENCE = 5_000;

  private final World world;
  private final GroupDn dn;
  private final GroupMember member;
  private final GroupRules rules;
  final long term;
  private final Map<GroupEntry, Runnable> underWay = new IdentityHashMap<>();
  private final Map<Entry, Integer> named = new IdentityHashMap<>();
  private final List<Integer> gtids = new ArrayList<>();
  private final Queue<Runnable> messages = new ArrayDeque<>();
  private final Map<View, BitSet> places = new IdentityHashMap<>();
  private HlcTimestamp reserved = HlcTimestamp.ZERO;
  private HlcTimestamp floor = HlcTimestamp.ZERO;
  private BitSet settled;
  private int before;
  private boolean renews;
  private boolean began;
  private boolean ended;
  private long hearsAt;
  private long writesAt;
  private int toWrite;
  private int sequence;
  private int acknowledged;
  private @Nullable ModelAgent agent;

  /** What its mysqld had when it began to lead. */
  private BitSet visibleBefore = new BitSet();

  private final Map<View, BitSet> visibleAt = new IdentityHashMap<>();

  ModelLeader(World world, GroupDn dn, GroupMember member, GroupRules rules, long term) {
    this.world = world;
    this.dn = dn;
    this.member = member;
    this.rules = rules;
    this.term = term;
    this.settled = member.reader().settled();
  }

  @Nullable ModelAgent agent() {
    return agent;
  }

  /** Whether its member has to execute all of that many transactions. */
  boolean awaits(int executed) {
    return began && agent == null && (executed >= before || !rules.appliesAllFirst());
  }

  // From its first entry to its end.

  void begin() {
    write(new Body.Begin((BitSet) settled.clone()));
  }

  /** All that the log has before its first entry is executed. */
  void open() {
    HlcTimestamp above = rules.beginsAboveReservations() ? floor : HlcTimestamp.ZERO;
    ModelAgent opened =
        new ModelAgent(dn.place, member.offsetMillis(), member.engine().rows(), above, this);
    agent = opened;
    visibleBefore = (BitSet) member.engine().set().clone();
    dn.checks.leads(term, member.engine(), opened.now());
    opened.mysqld.executes(this::executed);
    dn.opened(this, opened);
    opened.start();
    new ModelSweep(world, opened, dn.place.agents(), dn::participants);
  }

  private void executed(List<Entry> group) {
    member.engine().nextGroup();
    for (Entry entry : group) {
      member.engine().execute(gtid(entry), entry.arrival, entry.change);
    }
  }

  private int gtid(Entry entry) {
    return named.computeIfAbsent(
        entry,
        of -> {
          int gtid;
          do {
            gtid = member.gtid(++sequence);
          } while (member.engine().has(gtid));
          return gtid;
        });
  }

  /** It is killed with its mysqld. */
  void end() {
    ended = true;
    ModelAgent had = agent;
    if (had == null) {
      return;
    }
    had.end();
    if (!rules.deletesBinlogs()) {
      for (Entry entry : had.mysqld.binlog()) {
        int gtid = gtid(entry);
        if (!member.engine().has(gtid)) {
          member.engine().execute(gtid, entry.arrival, entry.change);
        }
      }
    }
  }

  private void later(long micros, Runnable action) {
    world.after(
        micros,
        () -> {
          if (!ended) {
            action.run();
          }
        });
  }

  // The log.

  private HlcTimestamp clock() {
    ModelAgent now = agent;
    if (now != null) {
      return now.now();
    }
    HlcTimestamp wall = HlcTimestamp.ofMillis(world.wallMillis(member.offsetMillis()));
    HlcTimestamp above = member.reader().reserved();
    return wall.compareTo(above) > 0 ? wall : above;
  }

  private @Nullable GroupEntry write(Body body) {
    boolean reserves =
        rules.entriesReserve() || body instanceof Body.Clock || body instanceof Body.Begin;
    HlcTimestamp upTo =
        reserves ? HlcTimestamp.ofMillis(clock().millis() + dn.aheadMillis) : HlcTimestamp.ZERO;
    GroupEntry entry = new GroupEntry(this, term, upTo, body);
    return member.log().append(entry) == RaftMember.NONE ? null : entry;
  }

  /** An entry of its own is committed, in whatever term; it hears of that a little later. */
  void committed(long in, GroupEntry entry, HlcTimestamp reservedBefore, int loggedBefore) {
    if (rules.voidsOtherTerms() && in != term) {
      return;
    }
    hearsAt = Math.max(hearsAt, world.now() + world.between(10, rules.hearsWithin()));
    later(hearsAt - world.now(), () -> hear(entry, reservedBefore, loggedBefore));
  }

  private void hear(GroupEntry entry, HlcTimestamp reservedBefore, int loggedBefore) {
    reserve(entry.reserves());
    switch (entry.body()) {
      case Body.Begin begin -> {
        began = true;
        floor = reservedBefore;
        before = loggedBefore;
        member.feed();
      }
      case Body.Transaction transaction -> written(entry, rules.awaitsTheGroup());
      case Body.Stamps stamps -> written(entry, rules.awaitsStamps());
      case Body.Clock clock -> renews = false;
      case Body.Piece piece -> {}
    }
    sendWaiting();
  }

  private void written(GroupEntry entry, boolean awaited) {
    Runnable then = underWay.remove(entry);
    if (then != null && awaited) {
      then.run();
    }
  }

  /** Somebody else's entry is committed. */
  void heardOf(GroupEntry entry) {
    if (!rules.reservationIsOfOneTerm()) {
      reserve(entry.reserves());
      sendWaiting();
    }
  }

  private void reserve(HlcTimestamp upTo) {
    if (upTo.compareTo(reserved) > 0) {
      reserved = upTo;
    }
  }

  @Override
  public void write(World in, ModelAgent of, Entry entry, Runnable durable) {
    gtids.add(gtid(entry));
    Map<Integer, List<Long>> writes = entry.change.writes();
    boolean large = !writes.isEmpty() && world.chance(0.15);
    if (large) {
      inOrder(0, () -> write(new Body.Piece(writes)));
    }
    inOrder(large ? world.between(20, 1_500) : 0, () -> write(entry, durable, large));
  }

  /** Pieces take their time, and what comes after them waits. */
  private void inOrder(long micros, Runnable action) {
    writesAt = Math.max(writesAt, world.now()) + micros;
    if (writesAt == world.now() && toWrite == 0) {
      action.run();
      return;
    }
    toWrite++;
    later(
        writesAt - world.now(),
        () -> {
          toWrite--;
          action.run();
        });
  }

  private void write(Entry entry, Runnable durable, boolean large) {
    int gtid = gtid(entry);
    if (entry.stamp != null && entry.stamp.compareTo(reserved) > 0) {
      dn.ahead();
    }
    GroupEntry written =
        write(
            new Body.Transaction(
                gtid, entry.arrival, large ? rest(entry.change) : entry.change, entry.stamp));
    if (written != null) {
      underWay.put(written, durable);
    }
    if (!rules.awaitsTheGroup()) {
      later(50, durable);
    }
  }

  private static ModelChange rest(ModelChange change) {
    return new ModelChange(Map.of(), change.branch(), change.rows());
  }

  @Override
  public void writeStamps(World in, ModelAgent of, List<Entry> entries, Runnable written) {
    dn.restamps++;
    inOrder(
        0,
        () -> {
          Map<Integer, HlcTimestamp> stamps = new HashMap<>();
          for (Entry entry : entries) {
            stamps.put(gtid(entry), Objects.requireNonNull(entry.stamp));
          }
          GroupEntry entry = write(new Body.Stamps(stamps));
          if (entry != null) {
            underWay.put(entry, written);
          }
        });
    if (!rules.awaitsStamps()) {
      later(0, written);
    }
  }

  @Override
  public void acknowledged(int number) {
    ModelAgent by = agent;
    while (acknowledged < number && by != null) {
      dn.checks.acknowledged(term, gtids.get(acknowledged), by.mysqld.binlog().get(acknowledged));
      acknowledged++;
    }
  }

  // Messages.

  private boolean mayAnswer() {
    ModelAgent by = agent;
    return !rules.sendsBelowReservation() || (by != null && by.now().millis() < reserved.millis());
  }

  @Override
  public void send(Runnable message) {
    messages.add(message);
    sendWaiting();
  }

  private void sendWaiting() {
    while (!ended && !messages.isEmpty() && mayAnswer()) {
      messages.remove().run();
    }
    ModelAgent by = agent;
    if (by != null
        && !renews
        && by.now().millis() > reserved.millis() - dn.aheadMillis / 2
        && !ended) {
      renew();
    }
  }

  private void renew() {
    renews = true;
    write(new Body.Clock(settledNow()));
    later(
        PATIENCE,
        () -> {
          renews = false;
          if (!messages.isEmpty()) {
            sendWaiting();
          }
        });
  }

  private BitSet settledNow() {
    return (BitSet) settled.clone();
  }

  @Override
  public void sendHoldings(Runnable message) {
    if (rules.tellsHoldingsBelowReservation()) {
      send(message);
    } else {
      message.run();
    }
  }

  private BitSet visible() {
    BitSet visible = (BitSet) visibleBefore.clone();
    gtids.subList(0, acknowledged).forEach(visible::set);
    return visible;
  }

  /** What it has let through by now, and what it has heard of its log; empty when it has ended. */
  Optional<GroupColumns.Mark> mark() {
    return ended
        ? Optional.empty()
        : Optional.of(new GroupColumns.Mark(visible(), member.reader().lastWritten()));
  }

  @Override
  public void opened(View view) {
    if (rules.feedsColumns()) {
      visibleAt.put(view, visible());
    }
    BitSet acked = new BitSet();
    member.reader().logged.subList(0, before).forEach(logged -> acked.set(logged.gtid));
    gtids.subList(0, acknowledged).forEach(acked::set);
    places.put(view, acked);
  }

  /** What was acknowledged when a view was opened. */
  BitSet place(View view) {
    return Objects.requireNonNull(places.get(view));
  }

  @Override
  public void shown(View view) {
    dn.checks.shown(term, view);
    BitSet visible = visibleAt.get(view);
    if (visible != null) {
      dn.columns.asked(term, view, visible);
    }
  }

  // Decisions.

  @Override
  public Map<TransactionId, HlcTimestamp> inherited() {
    Map<TransactionId, HlcTimestamp> found = new HashMap<>();
    if (!rules.learnsDecisionsFromTheLog()) {
      return found;
    }
    for (Logged logged : member.reader().logged.subList(0, before)) {
      if (logged.arrival instanceof Arrival.Decision decision && !settled.get(logged.gtid)) {
        found.put(decision.id(), decision.commitTs());
      }
    }
    return found;
  }

  @Override
  public void settled(int number) {
    BitSet now = settledNow();
    member.reader().logged.subList(0, before).forEach(logged -> now.set(logged.gtid));
    gtids.subList(0, Math.min(number, gtids.size())).forEach(now::set);
    settled = now;
  }

  @Override
  public boolean recoversLate() {
    return !rules.recoversFirst();
  }

  /** Where an error is to be found. */
  @Override
  public String toString() {
    return dn.dn() + " term " + term + " member " + member;
  }

  DnId dn() {
    return dn.dn();
  }
}
