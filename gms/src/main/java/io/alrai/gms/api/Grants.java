package io.alrai.gms.api;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The privileges of an account. Immutable; a level without privileges has no entry.
 *
 * @param global on {@code *.*}
 * @param dynamic on {@code *.*}, each with whether it may be granted on
 * @param schemas by pattern
 * @param tables by schema and table
 */
public record Grants(
    Set<Privilege> global,
    Map<DynamicPrivilege, Boolean> dynamic,
    Map<String, Set<Privilege>> schemas,
    Map<String, Map<String, Set<Privilege>>> tables) {
  /** USAGE: may log in. */
  public static final Grants NONE = new Grants(Set.of(), Map.of(), Map.of(), Map.of());

  /** ALL ON {@code *.*} WITH GRANT OPTION. */
  public static final Grants ALL =
      new Grants(
          Privilege.allAt(Privilege.Level.GLOBAL),
          Arrays.stream(DynamicPrivilege.values())
              .collect(Collectors.toMap(Function.identity(), one -> true)),
          Map.of(),
          Map.of());

  /** Copies everything, in order. */
  public Grants {
    global = Privilege.ordered(global);
    EnumMap<DynamicPrivilege, Boolean> ordered = new EnumMap<>(DynamicPrivilege.class);
    ordered.putAll(dynamic);
    dynamic = Collections.unmodifiableMap(ordered);
    schemas = ordered(schemas, Privilege::ordered);
    tables = ordered(tables, inner -> ordered(inner, Privilege::ordered));
  }

  private static <V> Map<String, V> ordered(Map<String, V> map, Function<V, V> copy) {
    Map<String, V> next = new TreeMap<>();
    map.forEach((key, value) -> next.put(key, copy.apply(value)));
    return Collections.unmodifiableMap(next);
  }

  /** What is granted at exactly this place. */
  public Set<Privilege> at(GrantScope scope) {
    return switch (scope.level()) {
      case GLOBAL -> global;
      case SCHEMA -> schemas.getOrDefault(scope.schema(), Set.of());
      case TABLE ->
          tables.getOrDefault(scope.schema(), Map.of()).getOrDefault(scope.table(), Set.of());
    };
  }

  /** With more of them. */
  public Grants granted(GrantChange change) {
    Map<DynamicPrivilege, Boolean> more = new EnumMap<>(DynamicPrivilege.class);
    more.putAll(dynamic);
    change.dynamic().forEach(one -> more.merge(one, change.grantable(), Boolean::logicalOr));
    long bits = Privilege.bits(at(change.scope())) | Privilege.bits(change.privileges());
    return with(more, change.scope(), Privilege.of(bits));
  }

  /** With fewer of them; those that are not there are no error. */
  public Grants revoked(GrantChange change) {
    Map<DynamicPrivilege, Boolean> fewer = new EnumMap<>(DynamicPrivilege.class);
    fewer.putAll(dynamic);
    change.dynamic().forEach(fewer::remove);
    long bits = Privilege.bits(at(change.scope())) & ~Privilege.bits(change.privileges());
    return with(fewer, change.scope(), Privilege.of(bits));
  }

  private Grants with(
      Map<DynamicPrivilege, Boolean> nextDynamic, GrantScope scope, Set<Privilege> privileges) {
    return switch (scope.level()) {
      case GLOBAL -> new Grants(privileges, nextDynamic, schemas, tables);
      case SCHEMA ->
          new Grants(global, nextDynamic, with(schemas, scope.schema(), privileges), tables);
      case TABLE -> {
        Map<String, Set<Privilege>> inSchema =
            with(tables.getOrDefault(scope.schema(), Map.of()), scope.table(), privileges);
        Map<String, Map<String, Set<Privilege>>> next = new TreeMap<>(tables);
        if (inSchema.isEmpty()) {
          next.remove(scope.schema());
        } else {
          next.put(scope.schema(), inSchema);
        }
        yield new Grants(global, nextDynamic, schemas, next);
      }
    };
  }

  private static Map<String, Set<Privilege>> with(
      Map<String, Set<Privilege>> map, String key, Set<Privilege> privileges) {
    Map<String, Set<Privilege>> next = new TreeMap<>(map);
    if (privileges.isEmpty()) {
      next.remove(key);
    } else {
      next.put(key, privileges);
    }
    return next;
  }
}
