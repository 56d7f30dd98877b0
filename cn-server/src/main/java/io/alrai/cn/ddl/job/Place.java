package io.alrai.cn.ddl.job;

import io.alrai.common.id.DnId;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.TableGroup;
import java.util.ArrayList;
import java.util.List;

/**
 * A schema of one mysqld in which a logical table has a table of its own: a partition, a copy, or
 * the shadow.
 */
public record Place(DnId dn, String schema) {
  /** Where the rows of a table group are: every DN for a group of broadcast tables. */
  public static List<Place> ofRows(TableGroup group, List<DnId> dns) {
    List<Place> places = new ArrayList<>();
    for (PartitionGroup partition : group.partitionGroups()) {
      if (group.signature().equals(PlacementRules.BROADCAST)) {
        dns.forEach(dn -> places.add(new Place(dn, partition.physicalSchema().name())));
      } else {
        places.add(new Place(partition.dn(), partition.physicalSchema().name()));
      }
    }
    return places;
  }

  /** The shadows of a logical schema. */
  public static List<Place> shadows(String schema, List<DnId> dns) {
    return dns.stream().map(dn -> new Place(dn, schema)).toList();
  }

  @Override
  public String toString() {
    return dn + "/" + schema;
  }
}
