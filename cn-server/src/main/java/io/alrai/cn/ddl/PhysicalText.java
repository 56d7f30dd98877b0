package io.alrai.cn.ddl;

import io.alrai.gms.api.Table;
import io.alrai.optimizer.syntax.Identifier;
import java.util.List;
import java.util.regex.Pattern;

/** From a logical table's definition to the statements that make its partitions, and back. */
final class PhysicalText {
  private static final String COLUMN =
      "  " + Identifier.quote(Table.IMPLICIT_KEY) + " bigint unsigned NOT NULL DEFAULT 0 INVISIBLE";
  private static final String KEY = "KEY " + Identifier.quote(Table.IMPLICIT_KEY) + " (";

  /** A mysqld wants the columns by which it partitions itself in every unique key. */
  private static final Pattern OWN_PARTITIONS = Pattern.compile("\n\\s?/\\*!\\d+ PARTITION BY");

  /** Takes the implicit key away, in an ALTER TABLE that gives the table its own. */
  static final String DROP_IMPLICIT_KEY = "DROP COLUMN " + Identifier.quote(Table.IMPLICIT_KEY);

  private static final String KEY_TRIGGER = "__alrai_key_";

  private PhysicalText() {}

  /**
   * The statements that make a partition. A table without a primary key gets an invisible one that
   * a trigger fills: an AUTO_INCREMENT column would show in LAST_INSERT_ID and bar the client's
   * own, and the default expression of an invisible column is not evaluated by MySQL 9.7 for INSERT
   * without a column list.
   *
   * @param number part of the trigger's name; unique
   */
  static List<String> create(TableDefinition definition, String table, long number) {
    String text = definition.createText();
    if (definition.primaryKey().isPresent()) {
      return List.of(text);
    }
    int firstColumn = text.indexOf("\n  ") + 1;
    return List.of(
        text.substring(0, firstColumn) + COLUMN + key(text) + text.substring(firstColumn),
        "CREATE TRIGGER "
            + Identifier.quote(KEY_TRIGGER + number)
            + " BEFORE INSERT ON "
            + Identifier.quote(table)
            + " FOR EACH ROW SET NEW."
            + Identifier.quote(Table.IMPLICIT_KEY)
            + " = UUID_SHORT()");
  }

  private static String key(String createText) {
    return isPartitioned(createText)
        ? ",\n  " + KEY + Identifier.quote(Table.IMPLICIT_KEY) + "),\n"
        : " PRIMARY KEY,\n";
  }

  /** Whether a mysqld partitions the table itself. */
  static boolean isPartitioned(String createText) {
    return OWN_PARTITIONS.matcher(createText).find();
  }

  /** Drops the trigger that fills the implicit key, if it is there. */
  static void dropKeyTrigger(JobRun run, Place place, String table) {
    String sql =
        "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = "
            + SqlText.string(place.schema())
            + " AND EVENT_OBJECT_TABLE = "
            + SqlText.string(table)
            + " AND LEFT(TRIGGER_NAME, "
            + KEY_TRIGGER.length()
            + ") = '"
            + KEY_TRIGGER
            + "'";
    for (List<String> row : run.query(place.dn(), sql)) {
      run.executeCopy(place, TriggerTexts.drop(row.getFirst()));
    }
  }

  /** The definition without the implicit key, to be compared with the shadow's. */
  static TableText logical(String physicalCreateText) {
    StringBuilder kept = new StringBuilder();
    for (String line : physicalCreateText.split("\n")) {
      String part = line.strip();
      boolean implicit =
          part.startsWith(Identifier.quote(Table.IMPLICIT_KEY))
              || part.startsWith(KEY)
              || part.startsWith("PRIMARY KEY (" + Identifier.quote(Table.IMPLICIT_KEY) + ")");
      if (!implicit) {
        kept.append(line).append('\n');
      }
    }
    return TableText.of(kept.toString());
  }
}
