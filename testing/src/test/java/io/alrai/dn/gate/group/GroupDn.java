package io.alrai.dn.gate.group;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.gate.ModelAgent;
import io.alrai.dn.gate.ModelDn;
import io.alrai.dn.gate.ModelPlace;
import io.alrai.dn.gate.ModelReplica;
import io.alrai.dn.gate.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A DN that is a group: two members with rows, and one with the log alone. */
final class GroupDn implements ModelDn {
  static final int LOGGER = 2;
  private static final List<Integer> ALL = List.of(0, 1, LOGGER);

  final ModelPlace place;
  private final World world;
  private final Function<TransactionId, Optional<Set<DnId>>> participants;
  final ModelRaft<GroupEntry> raft;
  final GroupChecks checks;
  private final List<GroupMember> members = new ArrayList<>();
  private final List<ModelLeader> leaders = new ArrayList<>();
  private final List<ModelAgent> agents = new ArrayList<>();

  /** How far a reservation is ahead. */
  final long aheadMillis;

  private final long slowestApply;
  private int quietFor;
  private int eventsLeft;
  private Runnable whenAhead = () -> {};
  private @Nullable GroupMember whenUnsettled;

  /** How often somebody is killed at moments at which clocks are of consequence. */
  private int clockFaults;

  private final List<ModelReplica> replicas = new ArrayList<>();

  final GroupColumns columns;

  private final GroupLearner learner;
  private final ModelReplica learns;
  private final boolean hasLearner;

  int restamps;
  int shownByReplicas;

  GroupDn(
      ModelPlace place,
      long offsetMillis,
      GroupRules rules,
      int clockFaults,
      Function<TransactionId, Optional<Set<DnId>>> participants) {
    this.place = place;
    this.world = place.world();
    this.participants = participants;
    this.clockFaults = clockFaults;
    this.checks = new GroupChecks(this, rules);
    this.aheadMillis = world.between(10, 60);
    this.slowestApply = world.chance(0.3) ? 1_500 : 150;
    for (int id : ALL) {
      long offset = world.chance(0.5) ? offsetMillis : world.between(-200, 200);
      GroupMember member = new GroupMember(world, this, rules, id, offset);
      members.add(member);
      replicas.add(new ModelReplica(world, new GroupReplica(this, member, rules)));
    }
    this.raft = new ModelRaft<>(world, new RaftRules(), members::get);
    raft.losses = world.chance(0.3) ? 0.05 : 0;
    this.columns = new GroupColumns(world, this, rules);
    this.learner = new GroupLearner(world, this, rules);
    this.learns = new ModelReplica(world, new GroupReplica(this, learner, rules));
    this.hasLearner = rules.feedsLearners();
    members.forEach(GroupMember::begin);
    raft.elect((int) world.between(0, 1), ALL);
    while (agents.isEmpty()) {
      world.run(world.now() + 100);
    }
    watch();
    if (rules.feedsColumns()) {
      columns.begin();
    }
    if (hasLearner) {
      learner.begin();
    }
  }

  List<GroupMember> members() {
    return members;
  }

  /** Those whose agents can be asked. */
  List<GroupMember> withRows() {
    return members.stream().filter(GroupMember::keepsRows).toList();
  }

  /** Empty where none is fed. */
  Optional<GroupLearner> learner() {
    return hasLearner ? Optional.of(learner) : Optional.empty();
  }

  long applyMicros() {
    return world.between(5, slowestApply);
  }

  Optional<Set<DnId>> participants(TransactionId id) {
    return participants.apply(id);
  }

  void opened(ModelLeader leader, ModelAgent agent) {
    // one that leads no more may be the last to begin
    int place = leaders.size();
    while (place > 0 && leaders.get(place - 1).term > leader.term) {
      place--;
    }
    leaders.add(place, leader);
    agents.add(place, agent);
  }

  int leads() {
    return leaders.size();
  }

  @Override
  public DnId dn() {
    return place.dn();
  }

  /** Who leads in the term of an agent. */
  ModelLeader lead(ModelAgent agent) {
    return leaders.get(agents.indexOf(agent));
  }

  /** Mostly the one that follows. */
  @Override
  public Optional<ModelReplica> replica() {
    if (hasLearner && world.chance(0.7)) {
      return Optional.of(learns);
    }
    int follower = leads(members.getFirst()) ? 1 : 0;
    return Optional.of(replicas.get(world.chance(0.9) ? follower : 1 - follower));
  }

  /** Mostly the last one, and now and then one that does not know that it leads no more. */
  @Override
  public ModelAgent leader() {
    List<ModelAgent> living = agents.stream().filter(ModelAgent::up).toList();
    if (living.isEmpty()) {
      return agents.getLast();
    }
    return world.chance(0.7)
        ? living.getLast()
        : living.get((int) world.between(0, living.size() - 1));
  }

  @Override
  public Map<Integer, List<Long>> rows() {
    return agents.getLast().rows();
  }

  @Override
  public void setClock(long offset) {
    members.forEach(member -> member.setOffset(offset));
  }

  @Override
  public boolean idle() {
    return eventsLeft == 0
        && members.stream().allMatch(GroupMember::idle)
        && learner().stream().allMatch(GroupLearner::idle)
        && agents.stream().filter(ModelAgent::up).count() == 1
        && agents.getLast().idle()
        && members.stream().anyMatch(this::leads)
        && IntStream.range(0, 3).map(i -> raft.member(i).committed()).distinct().count() == 1;
  }

  private boolean leads(GroupMember member) {
    ModelLeader leader = member.leader();
    return leader != null
        && leader.agent() != null
        && member.log().leads()
        && member.log().term() == leader.term;
  }

  @Override
  public String state() {
    return dn()
        + members.stream()
            .map(m -> " " + m + " up=" + m.up() + " idle=" + m.idle() + " leads=" + leads(m))
            .toList()
            .toString()
        + learner().map(l -> " learner idle=" + l.idle()).orElse("")
        + agents.getLast().state();
  }

  // What happens to it.

  /** Somebody is elected where nobody leads that can. */
  private void watch() {
    boolean led =
        members.stream()
            .anyMatch(m ->
                m.log().leads()
                    && ALL.stream()
                            .filter(other -> raft.linked(m.id(), other) && raft.member(other).up())
                            .count()
                        >= ModelRaft.MAJORITY);
    quietFor = led ? 0 : quietFor + 1;
    if (quietFor > 3) {
      raft.elect((int) world.between(0, 2), ALL);
    }
    world.after(world.between(500, 2_000), this::watch);
  }

  @Override
  public void fault(double kind) {
    eventsLeft++;
    double which = kind / 0.7;
    GroupMember leading = leading();
    if (which < 0.35) {
      change(leading);
    } else if (which < 0.5) {
      crash(leading);
    } else if (which < 0.57) {
      whenAhead = () -> leading.crash(10_000);
    } else if (which < 0.62) {
      whenUnsettled = leading;
    } else if (which < 0.72) {
      if (world.chance(0.5)) {
        raft.elect(other(leading), ALL);
      }
      leading.restartMysqld();
    } else if (which < 0.78) {
      raft.elect(LOGGER, ALL);
    } else if (which < 0.9) {
      raft.elect(other(leading), ALL);
      world.after(world.between(500, 8_000), () -> raft.elect(leading.id(), ALL));
    } else {
      partition((int) world.between(0, 2), (int) world.between(0, 2), world.chance(0.5));
    }
    world.after(100_000, () -> eventsLeft--);
  }

  private GroupMember leading() {
    return members.stream().filter(this::leads).findFirst().orElse(members.getFirst());
  }

  /** A member needs nothing of the log any more. */
  void allReleased(GroupMember member) {
    if (clockFaults > 0 && member == leading() && world.chance(0.2)) {
      clockFaults--;
      leaveAndReturn(member);
    }
  }

  private void crash(GroupMember leading) {
    if (world.chance(0.4)) {
      members.get((int) world.between(0, 2)).crash(30_000);
    } else if (world.chance(0.5)) {
      leading.crash(30_000);
    } else {
      leaveAndReturn(leading);
    }
  }

  /** Nobody else leads meanwhile. */
  private void leaveAndReturn(GroupMember leading) {
    leading.crash(1_000);
    for (int i = 0; i < 5; i++) {
      world.after(world.between(500, 2_000), () -> raft.elect(leading.id(), ALL));
    }
  }

  /** A member looks what it need not read anew, and finds a decision that may be asked for. */
  void unsettled(GroupMember member) {
    if (whenUnsettled == member) {
      whenUnsettled = null;
      world.after(world.between(0, 1_000), () -> leaveAndReturn(member));
    }
  }

  /** A transaction was stamped above what is reserved. */
  void ahead() {
    Runnable then = whenAhead;
    whenAhead = () -> {};
    if (clockFaults > 0) {
      clockFaults--;
      then = () -> leading().crash(10_000);
    }
    world.after(world.between(100, 2_500), then);
  }

  private static int other(GroupMember member) {
    return member.id() == 0 ? 1 : 0;
  }

  private void change(GroupMember leading) {
    int next = (int) world.between(0, 2);
    if (world.chance(0.6)) {
      ALL.forEach(other -> partition(leading.id(), other, true));
    }
    world.after(
        world.between(0, 3_000),
        () -> raft.elect(next, world.chance(0.5) ? ALL : List.of((next + 1) % 3)));
  }

  private void partition(int from, int to, boolean both) {
    raft.cut(from, to);
    if (both) {
      raft.cut(to, from);
    }
    world.after(
        world.between(100, 40_000),
        () -> {
          raft.heal(from, to);
          raft.heal(to, from);
        });
  }
}
