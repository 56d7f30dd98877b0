package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Column;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which changes of column types may not keep all values as they are. */
public final class Conversions {
  private static final Pattern TYPE = Pattern.compile("^(\\w+)(?:\\((\\d+)\\))?( unsigned)?");
  private static final List<String> INTEGERS =
      List.of("tinyint", "smallint", "mediumint", "int", "bigint");
  private static final List<String> LENGTHS = List.of("varchar", "varbinary");

  private Conversions() {}

  /** Whether a column that was there before has got a type that may not hold all its values. */
  public static boolean mayLose(
      TableText before, TableText after, Map<String, String> renamedColumns) {
    for (Map.Entry<String, String> column : before.columns().entrySet()) {
      String now =
          after.columns().get(renamedColumns.getOrDefault(column.getKey(), column.getKey()));
      if (now != null && !isWider(column.getValue(), now)) {
        return true;
      }
    }
    return !before.options().equals(after.options());
  }

  private static boolean isWider(String before, String after) {
    if (before.equals(after)) {
      return true;
    }
    Matcher old = TYPE.matcher(before);
    Matcher now = TYPE.matcher(after);
    if (!old.find() || !now.find()) {
      return false;
    }
    boolean sameSign = String.valueOf(old.group(3)).equals(String.valueOf(now.group(3)));
    boolean integers = INTEGERS.contains(old.group(1)) && INTEGERS.contains(now.group(1));
    if (integers) {
      return sameSign && INTEGERS.indexOf(old.group(1)) <= INTEGERS.indexOf(now.group(1));
    }
    String rest = before.substring(old.end());
    boolean sameRest = charset(rest).equals(charset(after.substring(now.end())));
    if (!old.group(1).equals(now.group(1)) || !sameRest || !sameSign) {
      return false;
    }
    String oldLength = String.valueOf(old.group(2));
    String newLength = String.valueOf(now.group(2));
    return oldLength.equals(newLength)
        ? !before.substring(old.end()).startsWith("(")
        : LENGTHS.contains(old.group(1))
            && Integer.parseInt(oldLength) <= Integer.parseInt(newLength);
  }

  private static String charset(String rest) {
    Matcher matcher = Pattern.compile("CHARACTER SET \\w+|COLLATE \\w+").matcher(rest);
    StringBuilder found = new StringBuilder();
    while (matcher.find()) {
      found.append(matcher.group()).append(' ');
    }
    return found.toString();
  }

  /** {@code (columns) SELECT columns FROM table}, without generated columns. */
  static Sql copyColumns(JobRun run, Place place, String table) {
    Sql columns =
        Sql.EMPTY.names(
            run.read(place, table).columns().stream()
                .filter(column -> !column.generated())
                .map(Column::name)
                .toList());
    return Sql.of(" (").add(columns).words(") SELECT ").add(columns).words(" FROM ").name(table);
  }
}
