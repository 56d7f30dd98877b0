package io.alrai.dn.xa;

import io.alrai.common.sql.Sql;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.XaName;
import java.util.ArrayList;
import java.util.List;

/** Decides for which tables every change is in the log, with its key. Pure. */
final class WatchableTables {
  private WatchableTables() {}

  /**
   * A SELECT that gives 1 for such a table: of InnoDB, without foreign keys of its own, as before
   * 9.6 what cascades change is not logged, and with key columns of whole numbers, as many as are
   * asked for; none are where all of the table is watched.
   */
  static Sql question(KeyedTable table) {
    Sql schema = XaName.bytes(table.schema());
    Sql place = schema.words(" AND table_name=").add(XaName.bytes(table.table()));
    List<Sql> names = new ArrayList<>(List.of(Sql.of("''")));
    table.columns().forEach(column -> names.add(XaName.bytes(column)));
    return Sql.of(
            "SELECT 'InnoDB'=(SELECT engine FROM information_schema.tables WHERE table_schema=")
        .add(place)
        .words(
            ") AND NOT EXISTS(SELECT 1 FROM information_schema.referential_constraints WHERE"
                + " constraint_schema=")
        .add(place)
        .words(") AND ")
        .number(table.columns().size())
        .words("=(SELECT COUNT(*) FROM information_schema.columns WHERE table_schema=")
        .add(place)
        .words(" AND column_name IN (")
        .add(Sql.join(",", names))
        .words(") AND data_type IN ('tinyint','smallint','mediumint','int','bigint'))");
  }
}
