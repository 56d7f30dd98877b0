package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All named time zones: as in Java, and in queries that column indexes answer. */
@ExtendWith(Servers.Shared.class)
class TimeZonesIT {
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final Instant END = Instant.parse("2037-11-30T00:00:00Z");

  /** Seconds around each change of a zone's offset, and in the middle of years. */
  private static List<Instant> moments(ZoneRules rules) {
    List<Instant> moments = new ArrayList<>();
    for (int year = 1971; year < 2037; year += 6) {
      moments.add(LocalDateTime.of(year, 1, 15, 12, 0).toInstant(ZoneOffset.UTC));
      moments.add(LocalDateTime.of(year, 7, 15, 12, 0).toInstant(ZoneOffset.UTC));
    }
    ZoneOffsetTransition next = rules.nextTransition(Instant.parse("1970-01-02T00:00:00Z"));
    while (next != null && next.getInstant().isBefore(END)) {
      moments.add(next.getInstant().minusSeconds(1));
      moments.add(next.getInstant());
      next = rules.nextTransition(next.getInstant());
    }
    return moments;
  }

  private static String local(Instant moment, ZoneId zone) {
    return FORM.format(LocalDateTime.ofInstant(moment, zone));
  }

  /** What a server makes of moments, read as one row of texts. */
  private static List<String> converted(Statement statement, List<Instant> moments, String zone)
      throws SQLException {
    String calls =
        moments.stream()
            .map(moment ->
                "CONVERT_TZ('%s', '+00:00', '%s')".formatted(local(moment, ZoneOffset.UTC), zone))
            .collect(Collectors.joining(", ", "SELECT CONCAT_WS(',', ", ")"));
    return List.of(Servers.only(statement, calls).split(",", -1));
  }

  /** The texts are compared with Java's, from which the tables were made, by another way. */
  @Test
  void allZonesAreAsJavaHasThem(Servers servers) throws SQLException {
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      try (Connection connection = MiniCluster.connect(port, "", "");
          Statement statement = connection.createStatement()) {
        List<String> names =
            Servers.column(connection, "SELECT Name FROM mysql.time_zone_name ORDER BY Name");
        assertTrue(names.size() > 500, "only " + names.size());
        for (String name : names) {
          ZoneId zone = ZoneId.of(name, ZoneId.SHORT_IDS);
          List<Instant> moments = moments(zone.getRules());
          assertEquals(
              moments.stream().map(moment -> local(moment, zone)).toList(),
              converted(statement, moments, name),
              name);
        }
        List<String> known = names;
        assertEquals(
            List.of(),
            ZoneId.getAvailableZoneIds().stream()
                .filter(name -> !name.startsWith("SystemV/") && !known.contains(name))
                .toList());
      }
    }
  }

  /** Every name is one that SET takes. */
  @Test
  void sessionsMayBeInAnyZone(Servers servers) throws SQLException {
    Instant moment = Instant.parse("2024-07-15T12:00:00Z");
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement statement = connection.createStatement()) {
      for (String name :
          Servers.column(connection, "SELECT Name FROM mysql.time_zone_name ORDER BY Name")) {
        statement.execute("SET time_zone = '" + name + "'");
        assertEquals(
            local(moment, ZoneId.of(name, ZoneId.SHORT_IDS)),
            Servers.only(statement, "SELECT FROM_UNIXTIME(" + moment.getEpochSecond() + ")"),
            name);
      }
    }
  }

  private static List<String> rows(Statement statement, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(query)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(result.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  /** By columns or not, the answers are those of a plain server. */
  @Test
  void columnIndexesHeedTheSessionsZone(Servers servers) throws SQLException {
    List<List<List<String>>> answers = new ArrayList<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      Servers.freshSchema(port, "zoned");
      try (Connection connection = MiniCluster.connect(port, "zoned", "");
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE z (id INT PRIMARY KEY, ts TIMESTAMP NULL, dt DATETIME, v INT)"
                + " /*alrai PARTITION BY KEY(id) PARTITIONS 4 */");
        statement.execute("SET time_zone = '+00:00'");
        StringBuilder rows = new StringBuilder("INSERT INTO z VALUES (0, NULL, NULL, 0)");
        for (int id = 1; id < 400; id++) {
          // half an hour apart, over the night in which clocks are put back
          rows.append(
              ", (%1$d, FROM_UNIXTIME(1729900000 + %1$d * 1800), '2024-03-30' + INTERVAL %1$d HOUR, %1$d)"
                  .formatted(id));
        }
        statement.execute(rows.toString());
        if (port == servers.cluster().port()) {
          ColumnIndexed.create(connection, "z", "id");
          statement.execute("SET workload_type = 'AP'");
        }
        List<List<String>> all = new ArrayList<>();
        for (String zone : List.of("Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC")) {
          statement.execute("SET time_zone = '" + zone + "'");
          for (String query :
              List.of(
                  "SELECT COUNT(*), SUM(v) FROM z WHERE ts >= '2024-10-27 02:30:00'",
                  "SELECT COUNT(*), SUM(v) FROM z WHERE ts BETWEEN '2024-10-27' AND '2024-10-28'",
                  "SELECT HOUR(ts) AS h, COUNT(*), SUM(v) FROM z GROUP BY h ORDER BY h",
                  "SELECT DATE(ts) AS d, MIN(v), MAX(v) FROM z GROUP BY d ORDER BY d",
                  "SELECT id, ts FROM z WHERE v > 300 ORDER BY ts, id",
                  "SELECT id FROM z ORDER BY ts DESC LIMIT 30",
                  "SELECT COUNT(DISTINCT ts) FROM z",
                  "SELECT COUNT(*) FROM z WHERE CONVERT_TZ(dt, 'UTC', 'Europe/Berlin') < '2024-04-01'",
                  "SELECT SUM(v), DATE(CONVERT_TZ(dt, 'UTC', 'Asia/Tokyo')) AS d FROM z GROUP BY d"
                      + " ORDER BY d",
                  "SELECT SUM(UNIX_TIMESTAMP(ts)), SUM(UNIX_TIMESTAMP(dt)) FROM z",
                  "SELECT COUNT(*) FROM z a JOIN z b ON a.ts = b.ts")) {
            List<String> found = new ArrayList<>(rows(statement, query));
            found.addFirst(zone + ": " + query);
            all.add(found);
          }
        }
        answers.add(all);
      }
    }
    assertEquals(answers.getFirst(), answers.getLast());
  }
}
