package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.common.sql.Sql;
import java.util.List;
import java.util.stream.Collectors;

/**
 * InnoDB's own numbers of tables: a table keeps its number when it is renamed and gets a new one
 * when it is truncated. So a step that crashed can be seen to be done.
 */
final class TableIds {
  private TableIds() {}

  /** The number; empty when there is no such table, or its name has letters beyond ASCII. */
  static String of(JobRun run, Place place, String table) {
    if (!isAscii(place.schema()) || !isAscii(table)) {
      return "";
    }
    String file = fileName(place.schema()) + "/" + fileName(table);
    return run
        .query(
            place.dn(),
            Sql.of("SELECT TABLE_ID FROM information_schema.INNODB_TABLES WHERE NAME = ")
                .string(file))
        .stream()
        .map(List::getFirst)
        .findFirst()
        .orElse("");
  }

  /**
   * Those of the partitions that the mysqld has made of a table: TRUNCATE PARTITION changes some.
   */
  static String ofPartitions(JobRun run, Place place, String table) {
    if (!isAscii(place.schema()) || !isAscii(table)) {
      return "";
    }
    String start = fileName(place.schema()) + "/" + fileName(table) + "#p#";
    return run
        .query(
            place.dn(),
            Sql.of("SELECT TABLE_ID FROM information_schema.INNODB_TABLES WHERE LEFT(NAME, ")
                .number(start.length())
                .words(") = ")
                .string(start)
                .words(" ORDER BY TABLE_ID"))
        .stream()
        .map(List::getFirst)
        .collect(Collectors.joining(","));
  }

  private static boolean isAscii(String name) {
    return name.chars().allMatch(c -> c < 0x80);
  }

  /** The name as files are called: letters, digits and underscores stay, others become hex. */
  private static String fileName(String name) {
    StringBuilder encoded = new StringBuilder();
    for (char c : name.toCharArray()) {
      boolean plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (plain) {
        encoded.append(c);
      } else {
        encoded.append(String.format("@%04x", (int) c));
      }
    }
    return encoded.toString();
  }
}
