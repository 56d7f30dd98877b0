package io.alrai.cn.columnar;

import io.alrai.columnar.check.IndexCheck;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.gms.api.Table;
import java.util.List;
import java.util.Optional;

/** What SHOW and CHECK tell of column indexes, wherever these are. Blocking; thread-safe. */
public interface IndexReports {
  /**
   * An index as it is now.
   *
   * @param partitions that are there
   * @param freshnessMillis how long it takes until all that is committed now can be read; empty
   *     where it cannot, or not soon
   * @param feeders whose logs are read, see {@link io.alrai.dn.ship.DnLog#feeder}
   */
  record Report(
      int partitions,
      PartitionFigures figures,
      Optional<Long> freshnessMillis,
      List<String> feeders) {}

  /** How a partition of an index, in a physical schema of a DN, differs from the row store. */
  record Checked(String schema, String dn, IndexCheck.Outcome outcome) {}

  /** The index of a table; empty where none is known as yet. */
  Optional<Report> report(Table table);

  /**
   * Compares the index of a table with the rows, at one snapshot for each partition.
   *
   * @return empty where it is not ready
   */
  Optional<List<Checked>> compare(Table table);
}
