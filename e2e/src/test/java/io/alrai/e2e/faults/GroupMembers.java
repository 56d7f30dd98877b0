package io.alrai.e2e.faults;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * The members of a cluster's groups, as they are named at the moment, with their roles and their
 * processes. One thread.
 */
final class GroupMembers {
  private static final int WHOLE_SECONDS = 240;
  private static final int TELL_AGAIN_MILLIS = 100;

  private final ClusterProcess cluster;
  private final Random random;
  private final Map<Integer, List<String>> rows = new TreeMap<>();
  private final Map<Integer, String> loggers = new TreeMap<>();

  /** Those that a new cluster begins with. */
  GroupMembers(ClusterProcess cluster, Random random, int dns) {
    this.cluster = cluster;
    this.random = random;
    for (int dn = 1; dn <= dns; dn++) {
      rows.put(dn, List.of("dn-" + dn + "-a", "dn-" + dn + "-b"));
      loggers.put(dn, "logger-1");
    }
  }

  /** All that have a mysqld, DN by DN. */
  List<String> rows() {
    return rows.values().stream().flatMap(List::stream).toList();
  }

  /** The two of a DN that have a mysqld. */
  List<String> rows(int dn) {
    return rows.getOrDefault(dn, List.of());
  }

  String logger(int dn) {
    return loggers.getOrDefault(dn, "");
  }

  /** All members of a DN. */
  List<String> all(int dn) {
    List<String> all = new ArrayList<>(rows(dn));
    all.add(logger(dn));
    return all;
  }

  /** Another one is there instead. */
  void replace(int dn, String old, String fresh) {
    rows.computeIfPresent(
        dn, (_, names) -> names.stream().map(name -> name.equals(old) ? fresh : name).toList());
    loggers.computeIfPresent(dn, (_, name) -> name.equals(old) ? fresh : name);
  }

  /** One of the two that have a mysqld. */
  String any(int dn) {
    return rows(dn).get(random.nextInt(2));
  }

  /** The one beside it that has a mysqld. */
  String other(int dn, String member) {
    return rows(dn).getFirst().equals(member) ? rows(dn).getLast() : rows(dn).getFirst();
  }

  /** Any process of the cluster. */
  String anybody() {
    List<String> all = new ArrayList<>(List.of("cn-1", "gms-1"));
    loggers.values().stream().distinct().forEach(all::add);
    for (String member : rows()) {
      all.add(member);
      all.add(mysqldOf(member));
    }
    return all.get(random.nextInt(all.size()));
  }

  static String mysqldOf(String member) {
    return "mysqld of " + member;
  }

  /** A role's process, or the mysqld of one. */
  Optional<ProcessHandle> process(String name) {
    return name.startsWith("mysqld of ")
        ? cluster.mysqld(name.substring("mysqld of ".length()))
        : cluster.role(name);
  }

  /** Who takes writes; anybody where nobody does at the moment. */
  String leader(int dn) {
    try (DnDoors doors = new DnDoors(cluster.directory(), rows(dn))) {
      return rows(dn).stream()
          .filter(member -> cluster.mysqld(member).isPresent())
          .filter(member -> writes(doors, member))
          .findFirst()
          .orElseGet(() -> any(dn));
    }
  }

  private static boolean writes(DnDoors doors, String member) {
    try {
      return doors.query(member, "SELECT @@global.read_only").equals(List.of(List.of("0")));
    } catch (RuntimeException e) {
      return false; // it is being started
    }
  }

  /**
   * Says it about the member that follows at the moment, until it is not refused: others may have
   * begun to lead meanwhile, or fail of the last fault.
   */
  String tellFollower(int dn, String change) {
    return tell(() -> String.format(change, withState(dn, "FOLLOWING")));
  }

  /** A text that is asked for again each time it is needed. */
  @FunctionalInterface
  interface Text {
    String now();
  }

  /** Says ALTER SYSTEM and this until it is not refused; what was done. */
  String tell(Text change) {
    String[] last = {""};
    String[] done = {""};
    ClusterProcess.await(
        () -> done[0] + ": " + last[0],
        WHOLE_SECONDS,
        TELL_AGAIN_MILLIS,
        () -> {
          done[0] = change.now();
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
  void awaitRebuilt(int dn) {
    ClusterProcess.await(
        "the end of the rebuild at dn-" + dn,
        WHOLE_SECONDS,
        () -> withState(dn, "REBUILDING").isEmpty());
    awaitWhole(dn);
  }

  void awaitWhole(int dn) {
    ClusterProcess.await("a leader and a follower of dn-" + dn, WHOLE_SECONDS, () -> isWhole(dn));
  }

  /** Whether one leads and one follows. */
  boolean isWhole(int dn) {
    return !withState(dn, "LEADING").isEmpty() && !withState(dn, "FOLLOWING").isEmpty();
  }

  /**
   * Waits until one member has executed all that another one has by now, which may lose its rows
   * then: they are two.
   */
  void awaitCopy(String of, String at) {
    try (DnDoors doors = new DnDoors(cluster.directory(), List.of(of, at))) {
      String[] executed = {""};
      ClusterProcess.await(
          at + " with all rows of " + of,
          WHOLE_SECONDS,
          TELL_AGAIN_MILLIS,
          () -> {
            try {
              if (executed[0].isEmpty()) {
                executed[0] = cell(doors, of, "SELECT @@global.gtid_executed");
              }
              String subset =
                  "SELECT GTID_SUBSET('%s',@@global.gtid_executed)".formatted(executed[0]);
              return !executed[0].isEmpty() && cell(doors, at, subset).equals("1");
            } catch (RuntimeException e) {
              return false; // it is being started
            }
          });
    }
  }

  private static String cell(DnDoors doors, String member, String sql) {
    return doors.query(member, sql).getFirst().getFirst().replaceAll("\\s", "");
  }

  /** The member with rows in this state; empty where there is none. */
  String withState(int dn, String state) {
    try {
      return Servers.cells(cluster.port(), "", "SHOW STORAGE REPLICAS").stream()
          .filter(row -> rows(dn).contains(row.get(1)) && row.get(3).equals(state))
          .map(row -> row.get(1))
          .findFirst()
          .orElse("");
    } catch (SQLException e) {
      return "";
    }
  }
}
