package io.alrai.e2e.faults;

import io.alrai.e2e.machine.MemberDisk;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What happens to a cluster of two DNs with three members each while it works: in rounds of all
 * kinds, in random order, on random victims. One thread.
 */
final class GroupFaults {
  private static final String LOGGER = "logger-1";
  private static final long WRONG_MILLIS = 200;
  private static final int SHORTEST_STOP_MILLIS = 200;

  /** How often a round of a storm has each kind that does not wait for whole members. */
  private static final int QUICK_ONES = 3;

  /** How soon the next fault comes. */
  enum Pace {
    /** Each ends within seconds. */
    BRIEF(3_000, 10_000, 8_000),
    LONG(20_000, 10_000, 8_000),
    /** Nobody waits until members that were hit are whole again, but where rows would be lost. */
    STORM(3_000, 4_500, 4_000);

    private final int longestStopMillis;
    private final int longestCutMillis;
    private final int longestDiskMillis;

    Pace(int longestStopMillis, int longestCutMillis, int longestDiskMillis) {
      this.longestStopMillis = longestStopMillis;
      this.longestCutMillis = longestCutMillis;
      this.longestDiskMillis = longestDiskMillis;
    }
  }

  /** After the loss of data another member may die within this time. */
  private static final int SOON_MILLIS = 3_000;

  /** What is done. */
  private enum Kind {
    KILLED_LEADER,
    KILLED_PROCESS,
    /** It comes back as a leader of the past. */
    STOPPED_LEADER,
    STOPPED_PROCESS,
    /** An agent and its mysqld. */
    KILLED_MEMBER,
    /** A member of each DN, which leaves a majority of both. */
    TWO_MEMBERS,
    /** One is stopped, and another that leaves a majority is killed meanwhile. */
    STOPPED_AND_KILLED,
    WRONG_CLOCK,
    /** Nobody leads until it is back. */
    MAJORITY,
    /** A person lets another member lead. */
    CHANGED_LEADER,
    /** A member's data directory goes away; it gets its rows from the log or the other member. */
    LOST_DATA,
    /** A person has the follower's rows made anew. */
    REBUILT,
    /** Processes die one after the other, before the last one is back. */
    KILLED_IN_A_ROW,
    /** Another logger comes, the old one goes. */
    REPLACED_LOGGER,
    /** Another member with rows comes, the follower goes. */
    REPLACED_FOLLOWER,
    CUT_NETWORK,
    SLOW_NETWORK,
    FULL_DISK,
    STOPPED_DISK;

    /** Those of the build, where two happen. The others wait for whole members before and after. */
    static final Set<Kind> SHORT = EnumSet.range(KILLED_LEADER, MAJORITY);

    /** They wait for whole members, or for one that is cloned. */
    static final Set<Kind> SLOW =
        EnumSet.of(LOST_DATA, REBUILT, REPLACED_LOGGER, REPLACED_FOLLOWER);

    static final Set<Kind> NETWORK = EnumSet.of(CUT_NETWORK, SLOW_NETWORK);
    static final Set<Kind> DISK = EnumSet.of(FULL_DISK, STOPPED_DISK);
  }

  /** Kills a process of this name, if it runs. */
  @FunctionalInterface
  interface Killer {
    /** The name of whom it has killed. */
    String kill(String name);
  }

  private final ClusterProcess cluster;
  private final Random random;
  private final Pace pace;
  private final Set<Kind> kinds;
  private final GroupMembers members;
  private final Optional<NetworkFaults> network;
  private final Optional<DiskFaults> disk;
  private final ReplacedMembers replaced;
  private final List<Kind> round = new ArrayList<>();
  private final List<NetworkFaults.Cut> cuts = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private Consumer<String> onKill = _ -> {};

  private GroupFaults(
      ClusterProcess cluster,
      Random random,
      Pace pace,
      Set<Kind> kinds,
      Optional<MemberNetwork> network,
      Optional<MemberDisk> disk) {
    this.cluster = cluster;
    this.random = random;
    this.pace = pace;
    this.kinds = kinds;
    this.members = new GroupMembers(cluster, random, 2);
    this.network =
        network.map(its -> new NetworkFaults(its, members, random, pace.longestCutMillis));
    this.disk = disk.map(its -> new DiskFaults(its, random, pace.longestDiskMillis));
    this.replaced = new ReplacedMembers(cluster, network, members, random, this::kill);
  }

  /** Those of the build: each ends within seconds. */
  static GroupFaults brief(ClusterProcess cluster, Random random) {
    return new GroupFaults(
        cluster, random, Pace.BRIEF, Kind.SHORT, Optional.empty(), Optional.empty());
  }

  /** Those of a long form: all kinds that the machine has the means for. */
  static GroupFaults all(
      Pace pace,
      ClusterProcess cluster,
      Random random,
      Optional<MemberNetwork> network,
      Optional<MemberDisk> disk) {
    Set<Kind> kinds = EnumSet.allOf(Kind.class);
    if (network.isEmpty()) {
      kinds.removeAll(Kind.NETWORK);
    }
    if (disk.isEmpty()) {
      kinds.removeAll(Kind.DISK);
    }
    return new GroupFaults(cluster, random, pace, kinds, network, disk);
  }

  GroupMembers members() {
    return members;
  }

  /** Hears the name of each process that is killed from now on, when it is gone. */
  void onKill(Consumer<String> listener) {
    onKill = listener;
  }

  /** How often each kind happened, and how many processes were hit. */
  Map<String, Integer> counts() {
    return counts;
  }

  /**
   * Lets the next fault happen.
   *
   * @return what it was
   */
  String strike() throws Exception {
    if (round.isEmpty()) {
      kinds.forEach(kind ->
          round.addAll(
              Collections.nCopies(
                  pace == Pace.STORM && !Kind.SLOW.contains(kind) ? QUICK_ONES : 1, kind)));
      Collections.shuffle(round, random);
    }
    Kind kind = round.removeFirst();
    counts.merge(kind.name(), 1, Integer::sum);
    int dn = anyGroup();
    return kind
        + ": "
        + switch (kind) {
          case KILLED_LEADER -> kill(leaderOrItsMysqld(dn));
          case KILLED_PROCESS -> kill(members.anybody());
          case STOPPED_LEADER -> stop(List.of(leaderOrItsMysqld(dn)));
          case STOPPED_PROCESS -> stop(List.of(members.anybody()));
          case KILLED_MEMBER -> {
            String member = members.any(dn);
            yield kill(GroupMembers.mysqldOf(member)) + ", " + kill(member);
          }
          case TWO_MEMBERS ->
              kill(members.any(1)) + ", " + kill(GroupMembers.mysqldOf(members.any(2)));
          case STOPPED_AND_KILLED -> {
            String member = members.any(dn);
            String stopped = random.nextBoolean() ? member : GroupMembers.mysqldOf(member);
            String killed = List.of("cn-1", "gms-1", members.any(3 - dn)).get(random.nextInt(3));
            yield stop(List.of(stopped), killed);
          }
          case WRONG_CLOCK -> {
            String role = random.nextInt(4) == 0 ? "cn-1" : members.any(dn);
            long millis = random.nextBoolean() ? WRONG_MILLIS : -WRONG_MILLIS;
            cluster.clockOffset(role, millis);
            yield kill(role) + " by " + millis + " ms";
          }
          case MAJORITY -> stop(List.of(members.logger(dn), members.any(dn)));
          case CHANGED_LEADER -> {
            members.awaitWhole(dn);
            yield members.tellFollower(dn, "CHANGE_ROLE NODE '%s' TO LEADER");
          }
          case LOST_DATA -> loseData(dn);
          case REBUILT -> {
            members.awaitWhole(dn);
            String done = members.tellFollower(dn, "REBUILD NODE '%s' OF 'dn-" + dn + "'");
            if (pace != Pace.STORM) {
              members.awaitRebuilt(dn);
            }
            yield done;
          }
          case KILLED_IN_A_ROW -> killInARow();
          case REPLACED_LOGGER -> replaced.logger(dn);
          case REPLACED_FOLLOWER -> replaced.follower(1); // a disk of its own is at the other DN
          case CUT_NETWORK -> network.orElseThrow().cut(nextCut(), dn, this::kill);
          case SLOW_NETWORK -> network.orElseThrow().slow(dn, this::kill);
          case FULL_DISK -> disk.orElseThrow().fill();
          case STOPPED_DISK -> disk.orElseThrow().stop();
        };
  }

  /** In a storm the one that has all its members, where the other one has not. */
  private int anyGroup() {
    int dn = 1 + random.nextInt(2);
    boolean other = pace == Pace.STORM && !members.isWhole(dn) && members.isWhole(3 - dn);
    return other ? 3 - dn : dn;
  }

  private NetworkFaults.Cut nextCut() {
    if (cuts.isEmpty()) {
      cuts.addAll(List.of(NetworkFaults.Cut.values()));
      Collections.shuffle(cuts, random);
    }
    NetworkFaults.Cut cut = cuts.removeFirst();
    counts.merge("cut " + cut, 1, Integer::sum);
    return cut;
  }

  private String leaderOrItsMysqld(int dn) {
    String leader = members.leader(dn);
    return random.nextBoolean() ? leader : GroupMembers.mysqldOf(leader);
  }

  private String killInARow() throws InterruptedException {
    List<String> killed = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      killed.add(kill(members.anybody()));
      TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
    }
    return String.join(", ", killed);
  }

  /** The other member may die meanwhile. Its data stays: there are two copies of it only. */
  private String loseData(int dn) throws Exception {
    members.awaitWhole(dn);
    String loser = members.any(dn);
    String other = members.other(dn, loser);
    members.awaitCopy(loser, other);
    Path data = cluster.directory().resolve(loser).resolve("data");
    Path lost = data.resolveSibling("lost-" + System.nanoTime());
    Files.move(data, lost);
    kill(GroupMembers.mysqldOf(loser));
    delete(lost);
    String what = "the data of " + loser;
    if (random.nextBoolean()) {
      int millis = random.nextInt(SOON_MILLIS);
      TimeUnit.MILLISECONDS.sleep(millis);
      String second = random.nextBoolean() ? other : GroupMembers.mysqldOf(other);
      what += ", and " + millis + " ms later " + kill(second);
    }
    if (pace != Pace.STORM) {
      members.awaitWhole(dn);
    }
    return what;
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> inside = Files.walk(root)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private String kill(String name) {
    Optional<ProcessHandle> process = members.process(name);
    process.ifPresent(ClusterProcess::kill);
    process.ifPresent(_ -> {
      hit("kill -9", name);
      onKill.accept(name);
    });
    return name;
  }

  /** Members of all DNs and both places count as one. */
  private void hit(String how, String name) {
    String what =
        name.startsWith("mysqld") ? "a mysqld" : name.startsWith("dn-") ? "an agent" : name;
    counts.merge(how + " of " + what.replaceAll("logger-\\d+", LOGGER), 1, Integer::sum);
  }

  private String stop(List<String> names, String... killed) throws InterruptedException {
    double part = random.nextDouble();
    int millis = // most are short, some very long
        SHORTEST_STOP_MILLIS
            + (int) (part * part * part * (pace.longestStopMillis - SHORTEST_STOP_MILLIS));
    List<ProcessHandle> processes = new ArrayList<>();
    for (String name : names) {
      members.process(name).ifPresent(processes::add);
      hit("SIGSTOP", name);
    }
    processes.forEach(ClusterProcess::pause);
    try {
      TimeUnit.MILLISECONDS.sleep(millis / 2);
      List.of(killed).forEach(this::kill);
      TimeUnit.MILLISECONDS.sleep(millis - millis / 2);
    } finally {
      processes.stream().filter(ProcessHandle::isAlive).forEach(ClusterProcess::resume);
    }
    return String.join(" and ", names)
        + " for "
        + millis
        + " ms"
        + (killed.length == 0 ? "" : ", meanwhile kill -9 of " + String.join(", ", killed));
  }
}
