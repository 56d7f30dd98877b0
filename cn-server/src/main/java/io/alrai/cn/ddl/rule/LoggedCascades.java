package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Column indexes are fed from the mysqlds' logs. What ON DELETE and ON UPDATE of a foreign key
 * change by themselves is there from MySQL 9.6 on, unless InnoDB does it as before. Stateless.
 */
public final class LoggedCascades {
  private static final Pattern ACTION =
      Pattern.compile("ON (DELETE|UPDATE) (CASCADE|SET NULL|SET DEFAULT)");
  private static final Pattern VERSION = Pattern.compile("^(\\d+)\\.(\\d+)");

  private LoggedCascades() {}

  /**
   * A table that is to have a column index, or has one.
   *
   * @param shadow of the table
   * @throws AlraiException ER_NOT_SUPPORTED_YET when a change of its rows would not be seen
   */
  public static void require(JobRun run, Place shadow, TableText text) {
    Optional<String> acting = acting(text);
    if (acting.isPresent() && !areLogged(run, shadow)) {
      throw AlraiException.unsupported(
          "'a column index of a table with FOREIGN KEY "
              + acting.get()
              + "': what its ON DELETE or ON UPDATE changes is not in the log of this MySQL (from"
              + " 9.6 on it is, with innodb_native_foreign_keys=OFF)");
    }
  }

  /** The name of a foreign key that changes rows of its table. */
  static Optional<String> acting(TableText text) {
    return text.constraints().entrySet().stream()
        .filter(one -> one.getValue().startsWith("FOREIGN KEY"))
        .filter(one -> ACTION.matcher(one.getValue()).find())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static boolean areLogged(JobRun run, Place shadow) {
    return canBeLogged(one(run, shadow, Sql.of("SELECT VERSION()")))
        && one(run, shadow, Sql.of("SELECT @@GLOBAL.innodb_native_foreign_keys")).equals("0");
  }

  private static String one(JobRun run, Place shadow, Sql sql) {
    return run.query(shadow.dn(), sql).getFirst().getFirst();
  }

  /** Whether a mysqld of that version can log them. */
  static boolean canBeLogged(String version) {
    Matcher numbers = VERSION.matcher(version);
    if (!numbers.find()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    return major > 9 || major == 9 && Integer.parseInt(numbers.group(2)) >= 6;
  }
}
