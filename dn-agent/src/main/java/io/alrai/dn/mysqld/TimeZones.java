package io.alrai.dn.mysqld;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The statements that fill a server's tables of time zones (MySQL Reference Manual, "MySQL Server
 * Time Zone Support") with what this Java knows of them. Times are those that a TIMESTAMP can have:
 * from 1970 on, and to the end of 2037, as mysql_tzinfo_to_sql does. Pure.
 */
final class TimeZones {
  /** A server reads its init-file by lines of at most 20,000 bytes. */
  private static final int LINE_BYTES = 15_000;

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST =
      LocalDate.of(2037, 12, 31).atStartOfDay(ZoneOffset.UTC).toInstant();

  private static final String ID = "Time_zone_id";

  private final StringBuilder sql = new StringBuilder();

  private TimeZones() {}

  /** One offset that a zone has. */
  private record Kind(int offsetSeconds, boolean summer) {}

  /** From when on a zone has which of its offsets. */
  private record Change(long epochSecond, int kind) {}

  /**
   * What a zone has.
   *
   * @param kinds the first is what was before all changes
   */
  private record Zone(List<Kind> kinds, List<Change> changes) {}

  /** Statements, one a line, that replace what is in the tables, all at once. */
  static String statements() {
    return Holder.STATEMENTS;
  }

  /** A name for the content of {@link #statements}. */
  static String version() {
    return Holder.VERSION;
  }

  /** Made when first asked for. */
  private static final class Holder {
    static final String STATEMENTS = new TimeZones().render();
    static final String VERSION = ShortHash.of(STATEMENTS, 8);
  }

  private String render() {
    Map<Zone, Integer> ids = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    rules()
        .forEach((name, rules) -> {
          int id = ids.computeIfAbsent(zone(rules), key -> ids.size() + 1);
          names.add("('" + name + "'," + id + ")");
        });
    line("START TRANSACTION");
    for (String table : List.of("_transition", "_transition_type", "_name", "")) {
      line("DELETE FROM mysql.time_zone" + table);
    }
    List<String> zones = new ArrayList<>();
    List<String> kinds = new ArrayList<>();
    List<String> changes = new ArrayList<>();
    ids.forEach((zone, id) -> {
      zones.add("(" + id + ",'N')");
      for (int i = 0; i < zone.kinds.size(); i++) {
        Kind kind = zone.kinds.get(i);
        kinds.add("(%d,%d,%d,%d,'')".formatted(id, i, kind.offsetSeconds, kind.summer ? 1 : 0));
      }
      zone.changes.forEach(
          change -> changes.add("(" + id + "," + change.epochSecond + "," + change.kind + ")"));
    });
    insert("time_zone (" + ID + ",Use_leap_seconds)", zones);
    insert("time_zone_name (Name," + ID + ")", names);
    insert(
        "time_zone_transition_type (" + ID + ",Transition_type_id,Offset,Is_DST,Abbreviation)",
        kinds);
    insert("time_zone_transition (" + ID + ",Transition_time,Transition_type_id)", changes);
    line("COMMIT");
    return sql.toString();
  }

  /** By name; what Java has of them, and its short names that every zoneinfo has, too. */
  private static Map<String, ZoneRules> rules() {
    Map<String, ZoneRules> rules = new TreeMap<>();
    for (String name : ZoneId.getAvailableZoneIds()) {
      if (!name.startsWith("SystemV/")) {
        rules.put(name, ZoneId.of(name).getRules());
      }
    }
    for (String name : List.of("EST", "MST", "HST")) {
      rules.computeIfAbsent(name, key -> ZoneId.of(key, ZoneId.SHORT_IDS).getRules());
    }
    return rules;
  }

  private static Zone zone(ZoneRules rules) {
    List<Kind> kinds = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    ZoneOffsetTransition before = rules.previousTransition(FIRST.plusSeconds(1));
    Instant at = before == null ? FIRST : before.getInstant();
    kinds.add(kind(rules, at));
    if (before != null) {
      // where all begins: what a server takes for the time before it is no summer time
      changes.add(new Change(at.getEpochSecond(), 0));
    }
    for (ZoneOffsetTransition next = rules.nextTransition(at);
        next != null && next.getInstant().isBefore(LAST);
        next = rules.nextTransition(next.getInstant())) {
      Kind kind = kind(rules, next.getInstant());
      if (!kinds.contains(kind)) {
        kinds.add(kind);
      }
      changes.add(new Change(next.getInstant().getEpochSecond(), kinds.indexOf(kind)));
    }
    return new Zone(List.copyOf(kinds), List.copyOf(changes));
  }

  private static Kind kind(ZoneRules rules, Instant at) {
    return new Kind(rules.getOffset(at).getTotalSeconds(), rules.isDaylightSavings(at));
  }

  private void insert(String table, List<String> rows) {
    StringBuilder some = new StringBuilder();
    for (String row : rows) {
      if (!some.isEmpty() && some.length() + row.length() > LINE_BYTES) {
        line("INSERT INTO mysql." + table + " VALUES " + some);
        some.setLength(0);
      }
      some.append(some.isEmpty() ? "" : ",").append(row);
    }
    line("INSERT INTO mysql." + table + " VALUES " + some);
  }

  private void line(String statement) {
    sql.append(statement).append(";\n");
  }
}
