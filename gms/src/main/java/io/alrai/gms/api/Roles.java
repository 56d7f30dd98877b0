package io.alrai.gms.api;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The roles of an account; a role is an account too. Immutable.
 *
 * @param granted keys of the roles, each with whether it may be granted on (WITH ADMIN OPTION)
 * @param defaults those that are active from the login on
 */
public record Roles(Map<String, Boolean> granted, Set<String> defaults) {
  /** No roles. */
  public static final Roles NONE = new Roles(Map.of(), Set.of());

  /** Copies both, in order; only what is granted may be a default. */
  public Roles {
    granted = Collections.unmodifiableMap(new TreeMap<>(granted));
    Set<String> known = new TreeSet<>(defaults);
    known.retainAll(granted.keySet());
    defaults = Collections.unmodifiableSet(known);
  }

  /** With more; what has the admin option keeps it. */
  public Roles granted(Collection<String> more, boolean admin) {
    Map<String, Boolean> next = new TreeMap<>(granted);
    more.forEach(role -> next.merge(role, admin, Boolean::logicalOr));
    return new Roles(next, defaults);
  }

  /** With fewer; those that are not there are no error. */
  public Roles revoked(Collection<String> fewer) {
    Map<String, Boolean> next = new TreeMap<>(granted);
    next.keySet().removeAll(fewer);
    return new Roles(next, defaults);
  }

  /** With other defaults. */
  public Roles withDefaults(Collection<String> roles) {
    return new Roles(granted, Set.copyOf(roles));
  }
}
