package io.alrai.dn.raft;

import io.alrai.dn.gate.World;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.ratis.protocol.RaftPeer;

/** One group in simulated time: its members, the links between them, and who adds and drops. */
final class MembersRun {
  private static final long LOOK = 100_000;

  /** Times of the model are so much shorter than those of the product. */
  private static final long FASTER = 8;

  final World world;
  final MembersRules rules;
  final MembersChecks checks;

  /** How many entries a log keeps for members that are away. */
  final int retained;

  /** How often it is said what is settled. */
  final int settleTicks;

  final double slowFeeds;
  double losses;
  int clones;
  private final Ballot founders = new Ballot(Set.of(0, 1, 2), Set.of());
  private final TreeMap<Integer, Voter> voters = new TreeMap<>();
  private final Map<Integer, Membership> memberships = new HashMap<>();
  private final Set<List<Integer>> cut = new HashSet<>();
  private long values;

  MembersRun(long seed, MembersRules rules) {
    this.world = new World(seed);
    this.rules = rules;
    this.checks = new MembersChecks(founders);
    this.retained = (int) world.between(4, 40);
    this.settleTicks = (int) (world.chance(0.3) ? world.between(20, 40) : world.between(3, 12));
    this.slowFeeds = world.chance(0.5) ? 0.7 : 0.1;
    this.losses = world.chance(0.5) ? 0.05 : 0;
    make(0, Keeps.ROWS, founders);
    make(1, Keeps.ROWS, founders);
    make(2, Keeps.LOG, founders);
    look();
  }

  private void make(int id, Keeps keeps, Ballot first) {
    Voter voter = new Voter(this, id, keeps, first);
    voters.put(id, voter);
    memberships.put(id, membership(voter, first));
  }

  /** A process that waits to be added. */
  Voter joins(Keeps keeps) {
    int id = voters.lastKey() + 1;
    make(id, keeps, Ballot.NOBODY);
    return voter(id);
  }

  private Membership membership(Voter voter, Ballot first) {
    GroupConfig config =
        new GroupConfig(
            "g",
            voter.known(),
            first.now().stream().map(MembersRun::founder).toList(),
            Path.of("none"),
            Optional.empty(),
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            LogBounds.standard());
    return new Membership(
        config,
        () ->
            Optional.of(
                new KnownGroup(
                    voter.log().ballot().now().stream().map(this::peer).toList(),
                    voter.log().ballotIndex())),
        () -> silences(voter),
        change ->
            lead(voter)
                .change(
                    Set.copyOf(
                        change.getServersInNewConf().stream()
                            .map(peer -> Integer.valueOf(peer.getId().toString().substring(1)))
                            .toList())));
  }

  /** Founders begin one after the other. */
  private static GroupMember founder(int id) {
    return new GroupMember("m" + id, "h:" + id, id == 2 ? Keeps.LOG : Keeps.ROWS);
  }

  private static VoterLead lead(Voter voter) {
    VoterLead lead = voter.lead();
    if (lead == null) {
      throw new IllegalStateException(voter + " does not lead");
    }
    return lead;
  }

  private Map<String, Duration> silences(Voter of) {
    Map<String, Duration> silences = new HashMap<>();
    lead(of)
        .answered
        .forEach((id, at) ->
            silences.put(voter(id).name(), Duration.ofNanos((world.now() - at) * 1_000 * FASTER)));
    return silences;
  }

  private RaftPeer peer(int id) {
    return Membership.peer(voter(id).known());
  }

  Membership membership(Voter of) {
    return memberships.get(of.id());
  }

  Ballot founders() {
    return founders;
  }

  Voter voter(int id) {
    return voters.get(id);
  }

  Collection<Voter> voters() {
    return voters.values();
  }

  Set<Integer> everybody() {
    return voters.keySet();
  }

  /** Whether a member skips what a leader says that nobody has any more. */
  boolean believes(Voter one, Voter leader) {
    return membership(one).hasRows(Membership.peer(leader.known()));
  }

  List<Integer> othersWithRows(Voter of) {
    return of.log().ballot().now().stream()
        .filter(id -> id != of.id() && voter(id).keepsRows())
        .sorted()
        .toList();
  }

  UUID uuid() {
    return new UUID(world.random.nextLong(), world.random.nextLong());
  }

  long value() {
    return ++values;
  }

  /** Nobody writes any more. */
  boolean isQuiet() {
    return quiet;
  }

  private boolean quiet;

  void quiet() {
    quiet = true;
  }

  // Links.

  void cut(int from, int to) {
    cut.add(List.of(from, to));
  }

  void heal(int from, int to) {
    cut.remove(List.of(from, to));
  }

  void healAll() {
    cut.clear();
    losses = 0;
  }

  boolean linked(int a, int b) {
    return !cut.contains(List.of(a, b)) && !cut.contains(List.of(b, a));
  }

  void send(int from, int to, Runnable arrives) {
    if (cut.contains(List.of(from, to)) || world.chance(losses)) {
      return;
    }
    int copies = world.chance(0.02) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      world.after(
          world.delay(),
          () -> {
            if (voter(to).up() && !voter(to).dropped()) {
              arrives.run();
            }
          });
    }
  }

  /** Who leads and takes writes, in the highest term. */
  Optional<Voter> leader() {
    return voters.values().stream()
        .filter(voter -> voter.up() && voter.lead() != null && voter.member().leads())
        .max((a, b) -> Long.compare(a.term(), b.term()));
  }

  private void look() {
    voters.values().stream().filter(Voter::keepsRows).forEach(checks::look);
    world.after(LOOK, this::look);
  }

  List<Voter> inGroup() {
    List<Voter> in = new ArrayList<>();
    checks.ballot().all().forEach(id -> in.add(voter(id)));
    return in;
  }
}
