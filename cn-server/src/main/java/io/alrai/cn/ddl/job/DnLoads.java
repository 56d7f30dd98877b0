package io.alrai.cn.ddl.job;

import io.alrai.common.id.DnId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much the catalog has on each DN: its partitions of tables, and one for each physical schema,
 * in which there will be some. What is on all DNs does not count. The same catalog gives the same
 * answers. One thread.
 */
final class DnLoads {
  private final List<DnId> dns;
  private final Map<DnId, Integer> loads = new HashMap<>();

  private DnLoads(List<DnId> dns) {
    this.dns = List.copyOf(dns);
  }

  /**
   * Those of all databases.
   *
   * @param dns the first of the least loaded ones is taken
   */
  static DnLoads of(Catalog catalog, List<DnId> dns) {
    DnLoads loads = new DnLoads(dns);
    for (Schema schema : catalog.schemas().values()) {
      Map<Long, Integer> tables = new HashMap<>();
      for (Table table : schema.tables().values()) {
        tables.merge(table.tableGroupId(), 1, Integer::sum);
      }
      for (TableGroup group : schema.tableGroups().values()) {
        if (!group.signature().equals(PlacementRules.BROADCAST)) {
          int each = 1 + tables.getOrDefault(group.id(), 0);
          group.partitionGroups().forEach(place -> loads.add(place.dn(), each));
        }
      }
    }
    return loads;
  }

  private void add(DnId dn, int more) {
    loads.merge(dn, more, Integer::sum);
  }

  /** The DN that has least, which has one physical schema more from now on. */
  DnId takeLeast() {
    DnId least =
        dns.stream().min(Comparator.comparingInt(dn -> loads.getOrDefault(dn, 0))).orElseThrow();
    add(least, 1);
    return least;
  }
}
