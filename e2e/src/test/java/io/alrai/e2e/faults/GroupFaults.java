package io.alrai.e2e.faults;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What happens to a cluster of two DNs with three members each while it works: in rounds of all
 * kinds, in random order, on random victims. One thread.
 */
final class GroupFaults {
  static final List<String> MEMBERS = List.of("dn-1-a", "dn-1-b", "dn-2-a", "dn-2-b");

  private static final String LOGGER = "logger-1";
  private static final long WRONG_MILLIS = 200;
  private static final int SHORTEST_STOP_MILLIS = 200;

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
    MAJORITY
  }

  private final ClusterProcess cluster;
  private final Random random;
  private final int longestStopMillis;
  private final List<Kind> round = new ArrayList<>();

  /**
   * Faults of a cluster.
   *
   * @param longestStopMillis how long a process is stopped at most
   */
  GroupFaults(ClusterProcess cluster, Random random, int longestStopMillis) {
    this.cluster = cluster;
    this.random = random;
    this.longestStopMillis = longestStopMillis;
  }

  /**
   * Lets the next fault happen.
   *
   * @return what it was
   */
  String strike() throws InterruptedException {
    if (round.isEmpty()) {
      round.addAll(List.of(Kind.values()));
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
        };
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
