package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import java.util.List;

/**
 * The invisible key of a table without a primary key, in its partitions: a column and a trigger
 * that fills it. An AUTO_INCREMENT column would show in LAST_INSERT_ID and bar the client's own,
 * and the default expression of an invisible column is not evaluated by MySQL 9.7 for INSERT
 * without a column list.
 */
public final class ImplicitKey {
  /** Takes the key away, in an ALTER TABLE that gives the table its own. */
  public static final String DROP = "DROP COLUMN " + Identifier.quote(Table.IMPLICIT_KEY);

  private static final String NAME = Identifier.quote(Table.IMPLICIT_KEY);
  private static final String DEFINITION = NAME + " bigint unsigned NOT NULL DEFAULT 0 INVISIBLE";
  private static final String NUMBERED =
      NAME + " bigint unsigned NOT NULL AUTO_INCREMENT INVISIBLE";
  private static final String KEY = "KEY " + NAME + " (" + NAME + ")";
  private static final String PRIMARY_KEY = "PRIMARY KEY (" + NAME + ")";
  private static final String TRIGGER = "__alrai_key_";

  /** Numbers that rows get when a table loses its own key: how many bits each partition has. */
  private static final int BITS_OF_ROWS = 36;

  /** Below what UUID_SHORT() gives on any server whose number is not 0. */
  private static final long PARTITIONS = 1L << 20;

  private ImplicitKey() {}

  /** The line of a CREATE TABLE, with its comma. */
  public static String line(String createText) {
    return PhysicalText.isPartitioned(createText)
        ? "  " + DEFINITION + ",\n  " + KEY + ",\n"
        : "  " + DEFINITION + " PRIMARY KEY,\n";
  }

  /**
   * Creates what fills it.
   *
   * @param number part of the trigger's name; unique
   */
  static Sql trigger(String table, long number) {
    return Sql.of("CREATE DEFINER=" + DdlShards.DDL_ACCOUNT + " TRIGGER ")
        .name(TRIGGER + number)
        .words(" BEFORE INSERT ON ")
        .name(table)
        .words(" FOR EACH ROW SET NEW.")
        .written(NAME)
        .words(" = UUID_SHORT()");
  }

  /**
   * Gives rows that are there a key, in the ALTER TABLE that takes the table's own: no UPDATE, of
   * which the client's triggers and ON UPDATE clauses would know. By a copy, as a mysqld takes a
   * primary key.
   *
   * @param options of the partition's SHOW CREATE TABLE
   * @param partition its number among all that have ever been numbered so
   */
  static String number(String options, long partition) {
    return ", ADD COLUMN "
        + NUMBERED
        + " FIRST, ADD "
        + (PhysicalText.isPartitioned(options) ? KEY : PRIMARY_KEY)
        + ", AUTO_INCREMENT = "
        + ((Math.floorMod(partition, PARTITIONS) << BITS_OF_ROWS) + 1)
        + ", ALGORITHM = COPY";
  }

  /** Makes a key whose rows were numbered like any other. */
  public static void complete(JobRun run, Place place, String table) {
    TableText text = TableText.of(run.readText(place, table));
    boolean numbered =
        text.columns().getOrDefault(Table.IMPLICIT_KEY, "").contains("AUTO_INCREMENT");
    if (numbered) {
      run.executeCopy(
          place,
          Sql.of("ALTER TABLE ")
              .name(table)
              .words(" MODIFY COLUMN ")
              .written(DEFINITION)
              .words(" FIRST"));
    }
    if (triggers(run, place, table).isEmpty()) {
      run.executeCopy(place, trigger(table, run.gms().reserve("ddl-job", 1).first()));
    }
  }

  /**
   * The action that leads back to the table's own primary key; empty where the key is not there.
   */
  public static String undo(String createText) {
    TableText text = TableText.of(createText);
    if (!text.columns().containsKey(Table.IMPLICIT_KEY)) {
      return "";
    }
    boolean primary = text.keys().getOrDefault(TableText.PRIMARY, "").contains(NAME);
    return primary ? "DROP PRIMARY KEY, " + DROP : DROP;
  }

  /** Drops what fills it, if it is there. */
  public static void dropTrigger(JobRun run, Place place, String table) {
    for (String trigger : triggers(run, place, table)) {
      run.executeCopy(place, TriggerTexts.drop(trigger));
    }
  }

  private static List<String> triggers(JobRun run, Place place, String table) {
    Sql sql =
        Sql.of("SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ")
            .string(place.schema())
            .words(" AND EVENT_OBJECT_TABLE = ")
            .string(table)
            .words(" AND LEFT(TRIGGER_NAME, ")
            .number(TRIGGER.length())
            .words(") = '" + TRIGGER + "'");
    return run.query(place.dn(), sql).stream().map(List::getFirst).toList();
  }

  /** Whether a line of SHOW CREATE TABLE is the key's. */
  static boolean isLine(String line) {
    return line.startsWith(NAME) || line.startsWith(KEY) || line.startsWith(PRIMARY_KEY);
  }
}
