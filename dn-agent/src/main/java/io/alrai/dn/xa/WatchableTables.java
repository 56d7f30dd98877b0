package io.alrai.dn.xa;

import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.XaName;
import java.util.StringJoiner;

/** Of which tables every change is in the log, with its key. Pure. */
final class WatchableTables {
  private WatchableTables() {}

  /**
   * A SELECT that gives 1 for such a table: of InnoDB, without foreign keys of its own, as before
   * 9.6 what cascades change is not logged, and with key columns of whole numbers, as many as are
   * asked for; none are where all of the table is watched.
   */
  static String question(KeyedTable table) {
    String place =
        "table_schema="
            + XaName.hex(table.schema())
            + " AND table_name="
            + XaName.hex(table.table());
    StringJoiner names = new StringJoiner(",", "(", ")").add("''");
    table.columns().forEach(column -> names.add(XaName.hex(column)));
    return "SELECT 'InnoDB'=(SELECT engine FROM information_schema.tables WHERE "
        + place
        + ") AND NOT EXISTS(SELECT 1 FROM information_schema.referential_constraints WHERE "
        + place.replace("table_schema", "constraint_schema")
        + ") AND "
        + table.columns().size()
        + "=(SELECT COUNT(*) FROM information_schema.columns WHERE "
        + place
        + " AND column_name IN "
        + names
        + " AND data_type IN ('tinyint','smallint','mediumint','int','bigint'))";
  }
}
