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

  /** A copy with more roles; one that has the admin option keeps it. */
  public Roles granted(Collection<String> more, boolean admin) {
    Map<String, Boolean> next = new TreeMap<>(granted);
    more.forEach(role -> next.merge(role, admin, Boolean::logicalOr));
    return new Roles(next, defaults);
  }

  /** A copy with fewer roles; those that are not there are no error. */
  public Roles revoked(Collection<String> fewer) {
    Map<String, Boolean> next = new TreeMap<>(granted);
    next.keySet().removeAll(fewer);
    return new Roles(next, defaults);
  }

  /** A copy with other default roles. */
  public Roles withDefaults(Collection<String> roles) {
    return new Roles(granted, Set.copyOf(roles));
  }
}
