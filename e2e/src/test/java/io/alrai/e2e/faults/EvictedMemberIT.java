package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.sql.Sql;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import io.alrai.tpcc.SteadyWriters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A follower is away, or slow, until its group's log has forgotten what it needs: it comes back by
 * itself, by a clone, while clients write. {@code -Dmembers.evicted=true}: the build has no time
 * for logs that long.
 */
@EnabledIfSystemProperty(named = "members.evicted", matches = "true")
@Tag("faults")
final class EvictedMemberIT {
  private static final List<String> ROWS = List.of("dn-1-a", "dn-1-b");

  /** The least that the variable takes. */
  private static final long RETAINED = 64L << 20;

  /** The limit of the clone, so that it is seen at work. */
  private static final long MIB_PER_SECOND = 16;

  private static final String LACKS = "; its mysqld lacks what its group's log does not have";

  /** As a cell that is NULL is read. */
  private static final String NONE = "null";

  private static final List<String> NOTHING = Collections.nCopies(13, NONE);

  private static final int WAIT_SECONDS = 180;

  private static final String SCHEMA = DatabaseNames.of("evicted");

  private int port;
  private ClusterProcess cluster;
  private long written;

  /** Who follows, and is away now and then. */
  private String away = "";

  @Test
  void aFollowerComesBackByAClone() throws Exception {
    try (ClusterProcess begun =
        ClusterProcess.up(List.of(), "--dns", "1", "--processes", "--replicas", "3")) {
      cluster = begun;
      port = begun.port();
      SteadyWriters writers = new SteadyWriters("mysql://root@127.0.0.1:" + port, 2);
      writers.create();
      try (SteadyWriters closed = writers;
          Connection admin = MiniCluster.connect(port, "", "")) {
        Servers.run(
            admin,
            "CREATE DATABASE " + DatabaseNames.quoted(SCHEMA),
            "CREATE TABLE " + table() + " (id BIGINT PRIMARY KEY, b LONGBLOB)",
            "SET GLOBAL dn_log_retention_bytes=" + RETAINED,
            "SET GLOBAL dn_clone_max_mib_per_second=" + MIB_PER_SECOND);
        closed.start();
        oneThatIsStopped(admin);
        oneThatIsKilled(admin);
        oneThatIsSlow(admin);
        System.out.println("errors of busy machines: " + writers.errors());
        AlterSystem.awaitDone(admin, "CHANGE_ROLE NODE '" + away + "' TO LEADER");
        awaitState("LEADING");
        long before = writers.fewest();
        ClusterProcess.await("more rows", 60, () -> writers.fewest() > before + 20);
        assertEquals(
            List.of(Long.toString(written)),
            Servers.column(admin, "SELECT COUNT(*) FROM " + table()));
      }
      assertEquals(List.of(), writers.wrong());
      awaitEqual("%");
      assertEquals(0, cluster.command("down"));
    }
  }

  private void oneThatIsStopped(Connection admin) {
    ProcessHandle agent = follower();
    ClusterProcess.pause(agent);
    awaitState("SILENT");
    assertTrue(row().get(9).contains("answer"), () -> row().toString());
    writeUntilForgotten(admin);
    ClusterProcess.resume(agent);
    comesBack("stopped");
  }

  private void oneThatIsKilled(Connection admin) {
    ProcessHandle agent = follower();
    ProcessHandle up = cluster.process();
    ClusterProcess.pause(up); // so that it does not start the agent again
    ClusterProcess.kill(agent);
    awaitState("SILENT");
    writeUntilForgotten(admin);
    ClusterProcess.resume(up);
    comesBack("killed");
  }

  /** It runs for a moment of each second: it is never away, and gets nothing done. */
  private void oneThatIsSlow(Connection admin) throws InterruptedException {
    ProcessHandle agent = follower();
    long before = forgotten();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (forgotten() == before) {
      assertTrue(System.nanoTime() < end, "the log keeps all");
      ClusterProcess.pause(agent);
      write(admin);
      ClusterProcess.resume(agent);
      TimeUnit.MILLISECONDS.sleep(20);
    }
    comesBack("slow");
  }

  private static String table() {
    return DatabaseNames.quoted(SCHEMA) + ".t";
  }

  private void writeUntilForgotten(Connection admin) {
    long before = forgotten();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (forgotten() == before) {
      assertTrue(System.nanoTime() < end, "the log keeps all");
      write(admin);
    }
  }

  /** 4 MiB, whoever leads. */
  private void write(Connection admin) {
    for (int i = 0; i < 4; i++) {
      String values = " VALUES (" + written++ + ",REPEAT(RANDOM_BYTES(1024),1024))";
      ClusterProcess.await(
          "a row",
          60,
          () -> {
            try {
              Servers.run(admin, "REPLACE INTO " + table() + values);
              return true;
            } catch (SQLException leaderChanges) {
              return false;
            }
          });
    }
  }

  /** How often the leader's log has gone on without that member. */
  private long forgotten() {
    return lines(other(), "does without the entries up to .*" + away + ".*");
  }

  private long lines(String member, String pattern) {
    Path log = cluster.directory().resolve("log").resolve(member + ".log");
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.matches(".*" + pattern)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says what SHOW STORAGE REPLICAS said until it follows with all rows. */
  private void comesBack(String how) {
    Set<String> seen = new LinkedHashSet<>();
    List<List<String>> clones = new ArrayList<>();
    long since = System.nanoTime();
    ClusterProcess.await(
        () -> away + " that was " + how + " follows again after a clone; it was " + seen,
        WAIT_SECONDS,
        50,
        () -> {
          List<String> row = row();
          seen.add(row.get(3) + ": " + row.get(9).replaceAll("[\\da-f-]{2,}|\\b\\d+\\b", "N"));
          if (!row.get(10).equals(NONE)) {
            clones.add(row);
          }
          return row.get(3).equals("FOLLOWING") && !clones.isEmpty();
        });
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    System.out.println(how + ": back after " + millis + " ms: " + seen);
    System.out.println("the last of " + clones.size() + ": " + clones.getLast());
    assertTrue(
        clones.stream()
            .allMatch(row ->
                row.get(3).equals("REBUILDING")
                    && row.get(9).startsWith("clones " + other() + ": ")
                    && row.get(9).contains(LACKS)
                    && row.get(10).equals(other())
                    && Long.parseLong(row.get(11)) <= Long.parseLong(row.get(12))),
        clones::toString);
    awaitEqual("t");
  }

  /**
   * The mysqlds of both have the same rows.
   *
   * @param pattern of the tables' names
   */
  private void awaitEqual(String pattern) {
    try (DnDoors doors = new DnDoors(cluster.directory(), ROWS)) {
      List<List<String>> tables =
          doors.query(
              ROWS.getFirst(),
              "SELECT table_schema,table_name FROM information_schema.tables WHERE"
                  + " table_type='BASE TABLE' AND table_schema NOT IN"
                  + " ('mysql','sys','performance_schema') AND table_name LIKE '"
                  + pattern
                  + "'");
      assertFalse(tables.isEmpty());
      for (List<String> table : tables) {
        String checksum =
            Sql.of("CHECKSUM TABLE ").name(table.get(0)).words(".").name(table.get(1)).toString();
        ClusterProcess.await(
            "equal rows of " + table,
            60,
            () ->
                doors
                    .query(ROWS.getFirst(), checksum)
                    .equals(doors.query(ROWS.getLast(), checksum)));
      }
    }
  }

  private void awaitState(String... states) {
    List<String> wanted = List.of(states);
    ClusterProcess.await(away + " is " + wanted, 60, () -> wanted.contains(row().get(3)));
  }

  private ProcessHandle follower() {
    ClusterProcess.await(
        "a leader and a follower",
        60,
        () ->
            rows().stream().anyMatch(row -> row.get(3).equals("LEADING"))
                && rows().stream().anyMatch(this::follows));
    return cluster.role(away).orElseThrow();
  }

  private boolean follows(List<String> row) {
    away = row.get(1);
    return row.get(3).equals("FOLLOWING") && ROWS.contains(away);
  }

  private String other() {
    return ROWS.getFirst().equals(away) ? ROWS.getLast() : ROWS.getFirst();
  }

  /** What SHOW STORAGE REPLICAS says of it. */
  private List<String> row() {
    return rows().stream().filter(row -> row.get(1).equals(away)).findFirst().orElse(NOTHING);
  }

  /** Empty while the leader changes. */
  private List<List<String>> rows() {
    try {
      return Servers.cells(port, "", "SHOW STORAGE REPLICAS");
    } catch (SQLException e) {
      return List.of();
    }
  }
}
