package io.alrai.cn.system;

import io.alrai.common.id.DnId;
import io.alrai.dn.link.DnMembers;
import io.alrai.gms.api.Zones;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * All DNs' members, and where they are.
 *
 * @param zone of a member; empty where nobody has said it
 */
public record DnGroups(Map<DnId, DnMembers> dns, UnaryOperator<String> zone) {
  /** Those of now. */
  public static DnGroups of(CnParts parts) {
    return new DnGroups(
        parts.queries().links().members(), member -> Zones.of(parts.gms().catalog(), member));
  }
}
