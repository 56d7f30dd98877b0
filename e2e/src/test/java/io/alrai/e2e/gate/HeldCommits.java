package io.alrai.e2e.gate;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import java.util.List;

/** Waits until a commit stands at a known place in a mysqld. */
public final class HeldCommits {
  /** No statement that writes its log ends while a connection holds this. */
  public static final String LOCK = "FLUSH TABLES WITH READ LOCK";

  private static final long REACHED_SECONDS = 30;
  private static final String LIST = "SHOW FULL PROCESSLIST";

  private HeldCommits() {}

  /** Waits until a commit waits for its ACK. */
  public static void awaitUnacknowledged(DnDoors doors, String dn) {
    String status = "SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source%'";
    ClusterProcess.await(
        () -> "a commit without ACK at " + dn + doors.query(dn, LIST) + doors.query(dn, status),
        REACHED_SECONDS,
        20,
        () -> doors.query(dn, status).contains(List.of("Rpl_semi_sync_source_wait_sessions", "1")));
  }

  /** Waits until a connection of the mysqld is in a state with a statement, each beginning so. */
  public static void await(DnDoors doors, String dn, String statement, String state) {
    ClusterProcess.await(
        () -> statement + " at " + dn + " is " + state + ", not " + doors.query(dn, LIST) + ",",
        REACHED_SECONDS,
        20,
        () ->
            doors.query(dn, LIST).stream()
                .anyMatch(row ->
                    String.valueOf(row.get(6)).startsWith(state)
                        && String.valueOf(row.get(7)).startsWith(statement)));
  }

  /** Whether rows of a table with such a name are locked at this mysqld. */
  public static boolean hasLockedRows(DnDoors doors, String dn, String table) {
    return !doors
        .query(
            dn,
            "SELECT 1 FROM performance_schema.data_locks WHERE lock_type = 'RECORD'"
                + " AND object_name = '"
                + table
                + "'")
        .isEmpty();
  }
}
