package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time zones in servers that are new, and in those of an earlier version. */
class TimeZonesIT {
  private static final String BERLIN =
      "SELECT CONVERT_TZ('2024-07-01 12:00:00', 'UTC', 'Europe/Berlin'), (SELECT COUNT(*) FROM"
          + " mysql.time_zone_name) > 500";

  private static final String BERLIN_KNOWN = "2024-07-01 14:00:00\t1";

  @TempDir Path temporary;

  private static String at(MysqldInstance instance, String sql) {
    MysqldSupervisor supervisor =
        new MysqldSupervisor(
            instance, MysqldListener.none(), MysqldAttendant.none(), SupervisorBounds.standard());
    supervisor.start();
    try {
      return RealServer.query(instance, MysqldInstance.ADMIN_ACCOUNT, sql);
    } finally {
      supervisor.stop();
    }
  }

  private MysqldConfig config() {
    return MysqldConfig.of(temporary.resolve("zones"), 7)
        .withMemory(new MysqldMemory(64L << 20, 64L << 20, 50));
  }

  private static MysqldInstance create(MysqldConfig config) {
    return MysqldInstance.create(TestAccounts.template(new PrintedProgress()), config);
  }

  /** As plain servers do, which are there to compare with. */
  @Test
  void aServerThatReadsAnotherInitFileIsNotTakenToHaveThem() throws IOException {
    Path own = temporary.resolve("own.sql");
    MysqldInstance instance = create(config().withOption("init_file", own.toString()));
    Files.writeString(own, AccountStatements.render(instance.password(), "c", false, false));
    Files.delete(instance.files().zones());
    assertEquals("NULL\t0", at(instance, "SET sql_log_bin = 0;" + emptied() + BERLIN));
    assertFalse(Files.exists(instance.files().zones()));
    assertEquals(BERLIN_KNOWN, at(create(config()), BERLIN));
  }

  @Test
  void aServerOfAnEarlierVersionGetsThem() throws IOException {
    MysqldInstance instance = create(config());
    assertEquals(BERLIN_KNOWN, at(instance, BERLIN));
    assertEquals("NULL\t0", at(instance, "SET sql_log_bin = 0;" + emptied() + BERLIN));
    assertEquals("NULL\t0", at(instance, BERLIN), "nobody asked for another reading of them");

    // which an earlier version does not write
    Files.delete(instance.files().zones());
    assertEquals(BERLIN_KNOWN, at(instance, BERLIN));
    assertTrue(Files.exists(instance.files().zones()));
    assertEquals("", at(instance, "SELECT @@GLOBAL.gtid_executed"));

    // of a Java that knew others
    Files.writeString(instance.files().zones(), "another version");
    assertEquals(BERLIN_KNOWN, at(instance, BERLIN));
    assertEquals(
        "0",
        at(
            instance,
            "SELECT COUNT(*) FROM mysql.time_zone_name n LEFT JOIN mysql.time_zone_transition_type t"
                + " USING (Time_zone_id) WHERE t.Time_zone_id IS NULL"));
  }

  private static String emptied() {
    return "DELETE FROM mysql.time_zone_name; DELETE FROM mysql.time_zone_transition;"
        + " DELETE FROM mysql.time_zone_transition_type; DELETE FROM mysql.time_zone;";
  }
}
