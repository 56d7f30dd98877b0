package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.ErrorCode;
import io.alrai.e2e.Servers;
import io.alrai.e2e.gate.HeldCommits;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * kill -9 of a leader's mysqld, of its agent or of the CN while a commit stands between its group
 * and its client: the answer is what became of it. {@code -Dsteps.turns=N} has each case N times.
 */
@EnabledIfSystemProperty(named = "steps.turns", matches = "[0-9]+")
@Tag("faults")
@Timeout(value = 4, unit = TimeUnit.HOURS)
final class GroupCommitStepsIT {
  private static final int DEADLOCK = 1213;
  private static final long SENT_MILLIS = 200;

  /** Where the commit stands when somebody dies. */
  private enum Step {
    /** In the mysqld's log; its group has nothing, as the agent is stopped. */
    LOGGED,
    /** The other members were sent it, and the leader does not hear what they answer. */
    SENT,
    /** The group has it; the mysqld is stopped and has not heard of that. */
    IN_GROUP,
    /** It is visible at the leader; the CN is stopped and has not read the answer. */
    DONE
  }

  private enum Victim {
    CN,
    AGENT,
    MYSQLD
  }

  /** What is committed. */
  private enum Work {
    AUTOCOMMIT,
    ONE_DN,
    TWO_DNS
  }

  private enum Told {
    COMMITTED,
    ROLLED_BACK,
    NOTHING
  }

  private final Random random = new Random(Long.getLong("steps.seed", System.nanoTime()));
  private final Map<String, Integer> counts = new TreeMap<>();
  private int number;

  private record Case(Step step, Victim victim, Work work) {}

  /**
   * Where it happens.
   *
   * @param primary the DN whose group decides
   */
  private record Place(
      ClusterProcess cluster, GroupMembers members, Optional<MemberNetwork> network, int primary) {}

  @Test
  void clientsAreToldTheTruth() throws Exception {
    Optional<MemberNetwork> network = MemberNetwork.open(2);
    try (MemberNetwork _ = network.orElse(null);
        ClusterProcess cluster =
            ClusterProcess.upAfter(
                network.stream().toList(), "--dns", "2", "--processes", "--replicas", "3")) {
      GroupMembers members = new GroupMembers(cluster, random, 2);
      create(cluster.port());
      int primary = placeOfFirstRow(cluster, members);
      List<String> wrong = new ArrayList<>();
      int turns = Integer.getInteger("steps.turns", 1);
      for (int turn = 0; turn < turns; turn++) {
        for (Case one : cases(network.isPresent())) {
          members.awaitWhole(1);
          members.awaitWhole(2);
          wrong.addAll(strike(new Place(cluster, members, network, primary), one));
        }
      }
      System.out.println(number + " cases: " + counts);
      assertEquals(List.of(), wrong);
      assertEquals(0, cluster.command("down"));
    }
  }

  private List<Case> cases(boolean withNetwork) {
    List<Case> cases = new ArrayList<>();
    for (Step step :
        withNetwork ? EnumSet.allOf(Step.class) : EnumSet.complementOf(EnumSet.of(Step.SENT))) {
      for (Victim victim : Victim.values()) {
        for (Work work : Work.values()) {
          cases.add(new Case(step, victim, work));
        }
      }
    }
    Collections.shuffle(cases, random);
    return cases;
  }

  private static void create(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      Servers.run(
          connection,
          "CREATE DATABASE steps",
          "CREATE TABLE steps.account (id INT PRIMARY KEY, last INT NOT NULL)"
              + " PARTITION BY HASH(id) PARTITIONS 2",
          "INSERT INTO steps.account VALUES (0, 0), (1, 0)");
    }
  }

  private static int placeOfFirstRow(ClusterProcess cluster, GroupMembers members)
      throws SQLException {
    String first = members.leader(1);
    try (Connection connection = MiniCluster.connect(cluster.port(), "steps", "");
        DnDoors doors = new DnDoors(cluster.directory(), List.of(first))) {
      Servers.run(
          connection, "START TRANSACTION", "UPDATE account SET last = last + 1 WHERE id = 0");
      boolean there = HeldCommits.hasLockedRows(doors, first, "account");
      Servers.run(connection, "ROLLBACK");
      return there ? 1 : 2;
    }
  }

  /** What is wrong with the answer, if anything. */
  private List<String> strike(Place place, Case how) throws Exception {
    number++;
    ClusterProcess cluster = place.cluster;
    String leader = place.members.leader(place.primary);
    String follower = place.members.other(place.primary, leader);
    Told told;
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        Connection client = MiniCluster.connect(cluster.port(), "steps", "&socketTimeout=90000");
        DnDoors doors = new DnDoors(cluster.directory(), List.of(leader, follower))) {
      if (how.work != Work.AUTOCOMMIT) {
        Servers.run(client, "START TRANSACTION", update(0));
      }
      if (how.work == Work.TWO_DNS) {
        Servers.run(client, update(1));
      }
      String last = how.work == Work.AUTOCOMMIT ? update(0) : "COMMIT";
      Future<Told> answer;
      try (DnDoors.Held lock = doors.hold(leader, HeldCommits.LOCK)) {
        answer = runner.submit(() -> tell(client, last));
        HeldCommits.await(doors, leader, last.substring(0, 6), "Waiting for");
        killedAt(how, place, doors, leader, lock);
      }
      told = answer.get();
    }
    boolean there = isThere(cluster.port(), how.work);
    String what = how + " told " + told + ", there: " + there;
    System.out.println(number + " " + what);
    counts.merge(how.step + " of " + how.victim + " " + told, 1, Integer::sum);
    boolean isTrue = told == Told.NOTHING || told == (there ? Told.COMMITTED : Told.ROLLED_BACK);
    return isTrue && (there || how.step == Step.LOGGED || how.step == Step.SENT)
        ? List.of()
        : List.of(what);
  }

  private String update(int row) {
    return "UPDATE account SET last = " + number + " WHERE id = " + row;
  }

  private static Told tell(Connection client, String sql) {
    try {
      Servers.run(client, sql);
      return Told.COMMITTED;
    } catch (SQLException e) {
      String message = String.valueOf(e.getMessage());
      System.out.println(e.getErrorCode() + " " + message.lines().findFirst().orElse(""));
      if (message.contains("the statement was done")) {
        return Told.COMMITTED;
      }
      return e.getErrorCode() == DEADLOCK
              || e.getErrorCode() == ErrorCode.ALRAI_NODE_UNAVAILABLE.errno()
              || message.contains("the statement was not done")
          ? Told.ROLLED_BACK
          : Told.NOTHING;
    }
  }

  /** Lets the commit go on to the step, kills, and lets all go on that was stopped. */
  private void killedAt(Case how, Place place, DnDoors doors, String leader, DnDoors.Held lock)
      throws InterruptedException {
    ClusterProcess cluster = place.cluster;
    String follower = place.members.other(place.primary, leader);
    ProcessHandle agent = cluster.role(leader).orElseThrow();
    ProcessHandle mysqld = cluster.mysqld(leader).orElseThrow();
    ProcessHandle cn = cluster.role("cn-1").orElseThrow();
    List<ProcessHandle> stopped = new ArrayList<>(List.of(agent));
    ClusterProcess.pause(agent);
    try {
      lock.release();
      HeldCommits.awaitUnacknowledged(doors, leader);
      TimeUnit.MILLISECONDS.sleep(SENT_MILLIS); // for the log to be sent to the agent
      switch (how.step) {
        case LOGGED -> {}
        case SENT -> {
          String logger = place.members.logger(place.primary);
          place.network.orElseThrow().cutOneWay(List.of(follower, logger), List.of(leader));
          ClusterProcess.resume(agent);
          TimeUnit.MILLISECONDS.sleep(SENT_MILLIS);
        }
        case IN_GROUP -> {
          ClusterProcess.pause(mysqld);
          stopped.add(mysqld);
          ClusterProcess.resume(agent);
          awaitRow(doors, follower);
        }
        case DONE -> {
          ClusterProcess.pause(cn);
          stopped.add(cn);
          ClusterProcess.resume(agent);
          awaitRow(doors, leader);
        }
      }
      ClusterProcess.kill(
          switch (how.victim) {
            case CN -> cn;
            case AGENT -> agent;
            case MYSQLD -> mysqld;
          });
      if (how.step == Step.SENT) {
        TimeUnit.SECONDS.sleep(2); // for others to be elected
      }
    } finally {
      place.network.ifPresent(MemberNetwork::heal);
      stopped.stream().filter(ClusterProcess::runs).forEach(ClusterProcess::resume);
    }
  }

  /** The row is in one of the table's partitions, each of which has a schema. */
  private void awaitRow(DnDoors doors, String member) {
    ClusterProcess.await(
        "the row at " + member,
        () ->
            doors
                .query(
                    member,
                    "SELECT table_schema FROM information_schema.tables WHERE table_name = 'account'")
                .stream()
                .map(schema ->
                    "SELECT 1 FROM `"
                        + schema.getFirst()
                        + "`.account WHERE id = 0 AND last = "
                        + number)
                .anyMatch(row -> !doors.query(member, row).isEmpty()));
  }

  /** Whether the last transaction is there, when the cluster serves again. */
  private boolean isThere(int port, Work work) {
    List<String> found = new ArrayList<>();
    ClusterProcess.await(
        "an answer about the rows",
        () -> {
          try (Connection connection = MiniCluster.connect(port, "steps", "")) {
            found.addAll(Servers.column(connection, "SELECT last FROM account ORDER BY id"));
            return true;
          } catch (SQLException e) {
            return false;
          }
        });
    boolean there = found.getFirst().equals("" + number);
    assertTrue(
        work != Work.TWO_DNS || there == found.getLast().equals("" + number),
        "half of it: " + found);
    return there;
  }
}
