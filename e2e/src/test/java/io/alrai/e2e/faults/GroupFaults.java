package io.alrai.e2e.faults;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What happens to a cluster of two DNs with three members each while it works: in rounds of all
 * kinds, in random order, on random victims. One thread.
 */
final class GroupFaults {
  static final List<String> MEMBERS = List.of("dn-1-a", "dn-1-b", "dn-2-a", "dn-2-b");

  private static final String LOGGER = "logger-1";
  private static final long WRONG_MILLIS = 200;
  private static final int SHORTEST_STOP_MILLIS = 200;

  /** A stopped process is stopped at most this long, in the build and in the long form. */
  private static final int SHORT_STOP_MILLIS = 3_000;

  private static final int LONG_STOP_MILLIS = 12_000;
  private static final int WHOLE_SECONDS = 120;
  private static final int TELL_AGAIN_MILLIS = 100;

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
    REBUILT;

    /** Those of the build, where two happen. The others wait for whole members before and after. */
    static final Set<Kind> SHORT = EnumSet.range(KILLED_LEADER, MAJORITY);
  }

  private final ClusterProcess cluster;
  private final Random random;
  private final int longestStopMillis;
  private final Set<Kind> kinds;
  private final List<Kind> round = new ArrayList<>();

  private GroupFaults(
      ClusterProcess cluster, Random random, int longestStopMillis, Set<Kind> kinds) {
    this.cluster = cluster;
    this.random = random;
    this.longestStopMillis = longestStopMillis;
    this.kinds = kinds;
  }

  /** Those of the build: each ends within seconds. */
  static GroupFaults brief(ClusterProcess cluster, Random random) {
    return new GroupFaults(cluster, random, SHORT_STOP_MILLIS, Kind.SHORT);
  }

  /** Those of the long form: all kinds. */
  static GroupFaults all(ClusterProcess cluster, Random random) {
    return new GroupFaults(cluster, random, LONG_STOP_MILLIS, EnumSet.allOf(Kind.class));
  }

  /**
   * Lets the next fault happen.
   *
   * @return what it was
   */
  String strike() throws Exception {
    if (round.isEmpty()) {
      round.addAll(kinds);
      Collections.shuffle(round, random);
    }
    Kind kind = round.removeFirst();
    int dn = 1 + random.nextInt(2);
    return kind
        + ": "
        + switch (kind) {
          case KILLED_LEADER -> {
            String leader = leader(dn);
            yield kill(random.nextBoolean() ? leader : mysqldOf(leader));
          }
          case KILLED_PROCESS -> kill(anybody());
          case STOPPED_LEADER -> {
            String leader = leader(dn);
            yield stop(List.of(random.nextBoolean() ? leader : mysqldOf(leader)));
          }
          case STOPPED_PROCESS -> stop(List.of(anybody()));
          case KILLED_MEMBER -> {
            String member = member(dn);
            yield kill(mysqldOf(member)) + ", " + kill(member);
          }
          case TWO_MEMBERS -> kill(member(1)) + ", " + kill(mysqldOf(member(2)));
          case STOPPED_AND_KILLED -> {
            String stopped = random.nextBoolean() ? member(dn) : mysqldOf(member(dn));
            String killed = List.of("cn-1", "gms-1", member(3 - dn)).get(random.nextInt(3));
            yield stop(List.of(stopped), killed);
          }
          case WRONG_CLOCK -> {
            String role = random.nextInt(4) == 0 ? "cn-1" : member(dn);
            long millis = random.nextBoolean() ? WRONG_MILLIS : -WRONG_MILLIS;
            cluster.clockOffset(role, millis);
            yield kill(role) + " by " + millis + " ms";
          }
          case MAJORITY -> stop(List.of(LOGGER, member(dn)));
          case CHANGED_LEADER -> {
            awaitWhole(dn);
            yield tell(dn, "CHANGE_ROLE NODE '%s' TO LEADER");
          }
          case LOST_DATA -> loseData(dn);
          case REBUILT -> {
            awaitWhole(dn);
            String done = tell(dn, "REBUILD NODE '%s' OF 'dn-" + dn + "'");
            awaitRebuilt(dn);
            yield done;
          }
        };
  }

  /** The other member may die meanwhile. Its data stays: there are two copies of it only. */
  private String loseData(int dn) throws Exception {
    awaitWhole(dn);
    String loser = member(dn);
    String other = loser.endsWith("a") ? "dn-" + dn + "-b" : "dn-" + dn + "-a";
    Path data = cluster.directory().resolve(loser).resolve("data");
    Path lost = data.resolveSibling("lost-" + System.nanoTime());
    Files.move(data, lost);
    kill(mysqldOf(loser));
    delete(lost);
    String what = "the data of " + loser;
    if (random.nextBoolean()) {
      int millis = random.nextInt(LONG_STOP_MILLIS / 4);
      TimeUnit.MILLISECONDS.sleep(millis);
      what +=
          ", and " + millis + " ms later " + kill(random.nextBoolean() ? other : mysqldOf(other));
    }
    awaitWhole(dn);
    return what;
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> inside = Files.walk(root)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /**
   * Says it about the member that follows at the moment, until it is not refused: others may have
   * begun to lead meanwhile, or fail of the last fault.
   */
  private String tell(int dn, String change) {
    String[] last = {""};
    String[] done = {""};
    ClusterProcess.await(
        () -> change + ": " + last[0],
        WHOLE_SECONDS,
        TELL_AGAIN_MILLIS,
        () -> {
          done[0] = String.format(change, withState(dn, "FOLLOWING"));
          try (Connection admin = MiniCluster.connect(cluster.port(), "", "")) {
            Servers.run(admin, "ALTER SYSTEM " + done[0]);
            return true;
          } catch (SQLException e) {
            last[0] = e.getMessage();
            return false;
          }
        });
    return done[0] + (last[0].isEmpty() ? "" : " (first: " + last[0] + ")");
  }

  /** It may have begun to lead, which ends a rebuild that was only asked for. */
  private void awaitRebuilt(int dn) {
    ClusterProcess.await(
        "the end of the rebuild at dn-" + dn,
        WHOLE_SECONDS,
        () -> withState(dn, "REBUILDING").isEmpty());
    awaitWhole(dn);
  }

  private void awaitWhole(int dn) {
    ClusterProcess.await(
        "a leader and a follower of dn-" + dn,
        WHOLE_SECONDS,
        () -> !withState(dn, "LEADING").isEmpty() && !withState(dn, "FOLLOWING").isEmpty());
  }

  /** The member with rows in this state; empty where there is none. */
  private String withState(int dn, String state) {
    try {
      return Servers.cells(cluster.port(), "", "SHOW STORAGE REPLICAS").stream()
          .filter(row -> row.get(1).startsWith("dn-" + dn + "-") && row.get(3).equals(state))
          .map(row -> row.get(1))
          .findFirst()
          .orElse("");
    } catch (SQLException e) {
      return "";
    }
  }

  /** Who takes writes; anybody where nobody does at the moment. */
  String leader(int dn) {
    try (DnDoors doors = new DnDoors(cluster.directory(), MEMBERS)) {
      return MEMBERS.stream()
          .filter(member -> member.startsWith("dn-" + dn + "-"))
          .filter(member -> cluster.mysqld(member).isPresent())
          .filter(member -> writes(doors, member))
          .findFirst()
          .orElseGet(() -> member(dn));
    }
  }

  private static boolean writes(DnDoors doors, String member) {
    try {
      return doors.query(member, "SELECT @@global.read_only").equals(List.of(List.of("0")));
    } catch (RuntimeException e) {
      return false; // it is being started
    }
  }

  private String member(int dn) {
    return "dn-" + dn + (random.nextBoolean() ? "-a" : "-b");
  }

  private static String mysqldOf(String member) {
    return "mysqld of " + member;
  }

  private String anybody() {
    List<String> all = new ArrayList<>(List.of("cn-1", "gms-1", LOGGER));
    for (String member : MEMBERS) {
      all.add(member);
      all.add(mysqldOf(member));
    }
    return all.get(random.nextInt(all.size()));
  }

  private Optional<ProcessHandle> process(String name) {
    return name.startsWith("mysqld of ")
        ? cluster.mysqld(name.substring("mysqld of ".length()))
        : cluster.role(name);
  }

  private String kill(String name) {
    process(name).ifPresent(ClusterProcess::kill);
    return name;
  }

  private String stop(List<String> names, String... killed) throws InterruptedException {
    int millis = SHORTEST_STOP_MILLIS + random.nextInt(longestStopMillis - SHORTEST_STOP_MILLIS);
    List<ProcessHandle> processes =
        names.stream().map(this::process).flatMap(Optional::stream).toList();
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
