package io.alrai.gms.api;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Privileges that an account gets or loses.
 *
 * @param scope where; dynamic ones only globally
 * @param privileges static ones, perhaps with GRANT OPTION
 * @param columns static ones for columns of the scope's table, by column
 * @param dynamic dynamic ones, in order
 * @param grantable whether the dynamic ones come with GRANT OPTION; means nothing for a loss
 */
public record GrantChange(
    GrantScope scope,
    Set<Privilege> privileges,
    Map<String, Set<Privilege>> columns,
    List<DynamicPrivilege> dynamic,
    boolean grantable) {
  public GrantChange {
    privileges = Privilege.ordered(privileges);
    columns = Grants.byColumn(columns);
    dynamic = dynamic.stream().distinct().sorted().toList();
  }

  /** A change that names no columns. */
  public static GrantChange of(
      GrantScope scope,
      Set<Privilege> privileges,
      List<DynamicPrivilege> dynamic,
      boolean grantable) {
    return new GrantChange(scope, privileges, Map.of(), dynamic, grantable);
  }
}
