package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.error.AlraiException;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * kill -9 of members of groups in the middle of TPC-C. Moments come from a seed that is printed:
 * {@code -Dkill.seed=N} repeats them, {@code -Dkill.rounds=N} makes it last longer.
 */
@EnabledIfSystemProperty(named = "kill.rounds", matches = "[0-9]+")
@Tag("faults")
final class KilledGroupIT {
  private static final String EXECUTED = "SELECT @@global.gtid_executed";
  private static final int SECONDS = 5;
  private static final List<String> MEMBERS = List.of("dn-1-a", "dn-1-b", "dn-2-a", "dn-2-b");

  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** Whom a round kills. */
  private enum Victim {
    LEADERS_MYSQLD,
    LEADER,
    LOGGER,
    FOLLOWERS_MYSQLD,
    FOLLOWER
  }

  @Test
  void membersAreLostOneAfterTheOther() throws Exception {
    System.out.println("-Dkill.seed=" + seed);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--replicas", "3")) {
      BusyCluster busy = BusyCluster.ofGroups(cluster, 1, MEMBERS, seed);
      busy.load();
      Victim[] victims = Victim.values();
      int rounds = Integer.getInteger("kill.rounds", 2);
      for (int round = 0; round < rounds; round++) {
        strike(cluster, busy, victims[round % victims.length], 1 + round % 2);
        busy.check();
      }
      awaitEqualMembers(cluster, 1);
      awaitEqualMembers(cluster, 2);
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
    }
  }

  private void strike(ClusterProcess cluster, BusyCluster busy, Victim victim, int dn)
      throws Exception {
    ClusterProcess.await("all members", () -> allRun(cluster));
    busy.run(
        SECONDS,
        random.nextLong(2_500),
        true,
        () -> {
          String leader = leader(cluster, dn);
          String other = leader.endsWith("a") ? "dn-" + dn + "-b" : "dn-" + dn + "-a";
          System.out.println("kill -9: " + victim + " of dn-" + dn + ", led by " + leader);
          ClusterProcess.kill(
              switch (victim) {
                case LEADERS_MYSQLD -> cluster.mysqld(leader).orElseThrow();
                case LEADER -> cluster.role(leader).orElseThrow();
                case FOLLOWER -> cluster.role(other).orElseThrow();
                case FOLLOWERS_MYSQLD -> cluster.mysqld(other).orElseThrow();
                case LOGGER -> cluster.role("logger-1").orElseThrow();
              });
        });
  }

  private static boolean allRun(ClusterProcess cluster) {
    return cluster.role("logger-1").isPresent()
        && MEMBERS.stream()
            .allMatch(
                member -> cluster.role(member).isPresent() && cluster.mysqld(member).isPresent());
  }

  private static String leader(ClusterProcess cluster, int dn) {
    try (DnDoors doors = new DnDoors(cluster.directory(), MEMBERS)) {
      return MEMBERS.stream()
          .filter(member -> member.startsWith("dn-" + dn + "-"))
          .filter(member -> shows(doors, member, "SELECT @@global.read_only").equals("[[0]]"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("nobody leads dn-" + dn));
    }
  }

  /** A follower has what its leader has, row by row. */
  private static void awaitEqualMembers(ClusterProcess cluster, int dn) {
    try (DnDoors doors = new DnDoors(cluster.directory(), MEMBERS)) {
      String one = "dn-" + dn + "-a";
      String other = "dn-" + dn + "-b";
      ClusterProcess.await(
          "equal members of dn-" + dn,
          60,
          () -> {
            String executed = shows(doors, one, EXECUTED);
            return executed.startsWith("[[") && executed.equals(shows(doors, other, EXECUTED));
          });
      assertEquals(checksums(doors, one), checksums(doors, other));
    }
  }

  /** What a member's mysqld shows; why it does not, while it starts. */
  private static String shows(DnDoors doors, String member, String query) {
    try {
      return doors.query(member, query).toString();
    } catch (AlraiException e) {
      return e.sentence();
    }
  }

  private static List<List<String>> checksums(DnDoors doors, String member) {
    List<List<String>> tables =
        doors.query(
            member,
            "SELECT CONCAT('`',table_schema,'`.`',table_name,'`') FROM information_schema.tables"
                + " WHERE table_schema LIKE 'tpcc%' AND table_type='BASE TABLE' ORDER BY 1");
    String names = String.join(",", tables.stream().map(List::getFirst).toList());
    return doors.query(member, "CHECKSUM TABLE " + names);
  }
}
