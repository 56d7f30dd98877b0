package io.alrai.cn.system;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The rows of {@link StorageTable}s in one statement: members are asked once for each of the two,
 * however often it is named, which also keeps a join with itself in agreement. One thread.
 */
final class StorageQueries {
  private final Supplier<DnGroups> dns;
  private final Map<StorageTable, String> known = new EnumMap<>(StorageTable.class);

  StorageQueries(Supplier<DnGroups> dns) {
    this.dns = dns;
  }

  /** The rows of a table, as a query; blocks for a second at most. */
  String of(StorageTable table) {
    return known.computeIfAbsent(table, asked -> asked.query(dns.get()));
  }
}
