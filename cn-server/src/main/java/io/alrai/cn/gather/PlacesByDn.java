package io.alrai.cn.gather;

import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.ShardPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Places in groups of one DN each. */
public final class PlacesByDn {
  private PlacesByDn() {}

  /** The groups; DNs in the order of their first place. */
  public static Map<DnId, List<ShardPlace>> of(List<ShardPlace> places) {
    Map<DnId, List<ShardPlace>> groups = new LinkedHashMap<>();
    for (ShardPlace place : places) {
      groups.computeIfAbsent(place.dn(), dn -> new ArrayList<>()).add(place);
    }
    return groups;
  }
}
