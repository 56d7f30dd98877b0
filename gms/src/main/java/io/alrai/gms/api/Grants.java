package io.alrai.gms.api;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The privileges of an account. Immutable; a level without privileges has no entry.
 *
 * @param global on {@code *.*}
 * @param dynamic on {@code *.*}, each with whether it may be granted on
 * @param schemas by pattern
 * @param tables by schema and table
 * @param columns by schema, table and column, whose names are compared without regard to case
 */
public record Grants(
    Set<Privilege> global,
    Map<DynamicPrivilege, Boolean> dynamic,
    Map<String, Set<Privilege>> schemas,
    Map<String, Map<String, Set<Privilege>>> tables,
    Map<String, Map<String, Map<String, Set<Privilege>>>> columns) {
  /** USAGE: may log in. */
  public static final Grants NONE = new Grants(Set.of(), Map.of(), Map.of(), Map.of(), Map.of());

  /** ALL ON {@code *.*} WITH GRANT OPTION. */
  public static final Grants ALL =
      new Grants(
          Privilege.allAt(Privilege.Level.GLOBAL),
          Arrays.stream(DynamicPrivilege.values())
              .collect(Collectors.toMap(Function.identity(), one -> true)),
          Map.of(),
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
    columns = ordered(columns, inner -> ordered(inner, Grants::byColumn));
  }

  /** A copy whose keys are found in any case. */
  static Map<String, Set<Privilege>> byColumn(Map<String, Set<Privilege>> columns) {
    Map<String, Set<Privilege>> next = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    columns.forEach((column, privileges) -> next.put(column, Privilege.ordered(privileges)));
    return Collections.unmodifiableMap(next);
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

  /** What is granted on columns of exactly this table, by column. */
  public Map<String, Set<Privilege>> columnsAt(GrantScope table) {
    return columns.getOrDefault(table.schema(), Map.of()).getOrDefault(table.table(), Map.of());
  }

  /** With more of them. */
  public Grants granted(GrantChange change) {
    Map<DynamicPrivilege, Boolean> more = new EnumMap<>(DynamicPrivilege.class);
    more.putAll(dynamic);
    change.dynamic().forEach(one -> more.merge(one, change.grantable(), Boolean::logicalOr));
    long bits = Privilege.bits(at(change.scope())) | Privilege.bits(change.privileges());
    Map<String, Set<Privilege>> byColumn = editable(columnsAt(change.scope()));
    change
        .columns()
        .forEach((column, privileges) -> byColumn.merge(column, privileges, Grants::union));
    return with(more, change.scope(), Privilege.of(bits)).with(change.scope(), byColumn);
  }

  /** All of both. */
  public Grants with(Grants others) {
    Map<DynamicPrivilege, Boolean> both = new EnumMap<>(DynamicPrivilege.class);
    both.putAll(dynamic);
    others.dynamic.forEach((one, grantable) -> both.merge(one, grantable, Boolean::logicalOr));
    return new Grants(
        union(global, others.global),
        both,
        union(schemas, others.schemas, Grants::union),
        union(tables, others.tables, (a, b) -> union(a, b, Grants::union)),
        union(columns, others.columns, (a, b) -> union(a, b, Grants::unionByColumn)));
  }

  private static Set<Privilege> union(Set<Privilege> a, Set<Privilege> b) {
    return Privilege.of(Privilege.bits(a) | Privilege.bits(b));
  }

  private static <V> Map<String, V> union(
      Map<String, V> a, Map<String, V> b, BinaryOperator<V> both) {
    Map<String, V> next = new TreeMap<>(a);
    b.forEach((key, value) -> next.merge(key, value, both));
    return next;
  }

  private static Map<String, Set<Privilege>> unionByColumn(
      Map<String, Set<Privilege>> a, Map<String, Set<Privilege>> b) {
    Map<String, Set<Privilege>> next = editable(a);
    b.forEach((column, privileges) -> next.merge(column, privileges, Grants::union));
    return next;
  }

  /**
   * With fewer of them; those that are not there are no error. What a table loses all its columns
   * lose.
   */
  public Grants revoked(GrantChange change) {
    Map<DynamicPrivilege, Boolean> fewer = new EnumMap<>(DynamicPrivilege.class);
    fewer.putAll(dynamic);
    change.dynamic().forEach(fewer::remove);
    long bits = Privilege.bits(at(change.scope())) & ~Privilege.bits(change.privileges());
    long everywhere = Privilege.bits(change.privileges());
    Map<String, Set<Privilege>> byColumn = editable(Map.of());
    columnsAt(change.scope())
        .forEach((column, privileges) -> {
          long lost = everywhere | Privilege.bits(change.columns().getOrDefault(column, Set.of()));
          long left = Privilege.bits(privileges) & ~lost;
          if (left != 0) {
            byColumn.put(column, Privilege.of(left));
          }
        });
    return with(fewer, change.scope(), Privilege.of(bits)).with(change.scope(), byColumn);
  }

  private static Map<String, Set<Privilege>> editable(Map<String, Set<Privilege>> columns) {
    Map<String, Set<Privilege>> next = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    next.putAll(columns);
    return next;
  }

  private Grants with(GrantScope scope, Map<String, Set<Privilege>> byColumn) {
    return scope.table().isEmpty()
        ? this
        : new Grants(
            global, dynamic, schemas, tables, with(columns, scope, byColumn, Map::isEmpty));
  }

  private Grants with(
      Map<DynamicPrivilege, Boolean> nextDynamic, GrantScope scope, Set<Privilege> privileges) {
    return switch (scope.level()) {
      case GLOBAL -> new Grants(privileges, nextDynamic, schemas, tables, columns);
      case SCHEMA ->
          new Grants(
              global,
              nextDynamic,
              with(schemas, scope.schema(), privileges, Set::isEmpty),
              tables,
              columns);
      case TABLE ->
          new Grants(
              global, nextDynamic, schemas, with(tables, scope, privileges, Set::isEmpty), columns);
    };
  }

  private static <V> Map<String, Map<String, V>> with(
      Map<String, Map<String, V>> map, GrantScope scope, V value, Predicate<V> none) {
    Map<String, V> inSchema =
        with(map.getOrDefault(scope.schema(), Map.of()), scope.table(), value, none);
    return with(map, scope.schema(), inSchema, Map::isEmpty);
  }

  private static <V> Map<String, V> with(
      Map<String, V> map, String key, V value, Predicate<V> none) {
    Map<String, V> next = new TreeMap<>(map);
    if (none.test(value)) {
      next.remove(key);
    } else {
      next.put(key, value);
    }
    return next;
  }
}
