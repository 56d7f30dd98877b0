package io.alrai.gms.api;

import io.alrai.gms.api.Privilege.Level;
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
 * @param procedures by schema and {@link Procedure#key}
 * @param functions by schema and {@link Procedure#key}
 */
public record Grants(
    Set<Privilege> global,
    Map<DynamicPrivilege, Boolean> dynamic,
    Map<String, Set<Privilege>> schemas,
    Map<String, Map<String, Set<Privilege>>> tables,
    Map<String, Map<String, Map<String, Set<Privilege>>>> columns,
    Map<String, Map<String, Set<Privilege>>> procedures,
    Map<String, Map<String, Set<Privilege>>> functions) {
  /** USAGE: may log in. */
  public static final Grants NONE =
      new Grants(Set.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

  /** ALL ON {@code *.*} WITH GRANT OPTION. */
  public static final Grants ALL =
      new Grants(
          Privilege.allAt(Level.GLOBAL),
          Arrays.stream(DynamicPrivilege.values())
              .collect(Collectors.toMap(Function.identity(), one -> true)),
          Map.of(),
          Map.of(),
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
    procedures = ordered(procedures, inner -> ordered(inner, Privilege::ordered));
    functions = ordered(functions, inner -> ordered(inner, Privilege::ordered));
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
      case TABLE, PROCEDURE, FUNCTION ->
          named(scope.level())
              .getOrDefault(scope.schema(), Map.of())
              .getOrDefault(scope.name(), Set.of());
    };
  }

  private Map<String, Map<String, Set<Privilege>>> named(Level level) {
    return switch (level) {
      case TABLE -> tables;
      case PROCEDURE -> procedures;
      case FUNCTION -> functions;
      case GLOBAL, SCHEMA -> throw new IllegalArgumentException(level + " has no names");
    };
  }

  /** What is granted on single procedures or functions, by schema and {@link Procedure#key}. */
  public Map<String, Map<String, Set<Privilege>>> routines(RoutineKind kind) {
    return named(kind.level());
  }

  /** What is granted on columns of exactly this table, by column. */
  public Map<String, Set<Privilege>> columnsAt(GrantScope table) {
    return table.level() == Level.TABLE
        ? columns.getOrDefault(table.schema(), Map.of()).getOrDefault(table.name(), Map.of())
        : Map.of();
  }

  /** A copy with more privileges. */
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

  /** The privileges of both. */
  public Grants with(Grants others) {
    Map<DynamicPrivilege, Boolean> both = new EnumMap<>(DynamicPrivilege.class);
    both.putAll(dynamic);
    others.dynamic.forEach((one, grantable) -> both.merge(one, grantable, Boolean::logicalOr));
    return new Grants(
        union(global, others.global),
        both,
        union(schemas, others.schemas, Grants::union),
        unionByName(tables, others.tables),
        union(columns, others.columns, (a, b) -> union(a, b, Grants::unionByColumn)),
        unionByName(procedures, others.procedures),
        unionByName(functions, others.functions));
  }

  private static Map<String, Map<String, Set<Privilege>>> unionByName(
      Map<String, Map<String, Set<Privilege>>> a, Map<String, Map<String, Set<Privilege>>> b) {
    return union(a, b, (one, other) -> union(one, other, Grants::union));
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
   * A copy with fewer privileges; those that are not there are no error. What a table loses, all
   * its columns lose.
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
    return scope.level() != Level.TABLE
        ? this
        : new Grants(
            global,
            dynamic,
            schemas,
            tables,
            with(columns, scope, byColumn, Map::isEmpty),
            procedures,
            functions);
  }

  private Grants with(
      Map<DynamicPrivilege, Boolean> nextDynamic, GrantScope scope, Set<Privilege> privileges) {
    Level level = scope.level();
    return new Grants(
        level == Level.GLOBAL ? privileges : global,
        nextDynamic,
        level == Level.SCHEMA ? with(schemas, scope.schema(), privileges, Set::isEmpty) : schemas,
        with(Level.TABLE, scope, privileges),
        columns,
        with(Level.PROCEDURE, scope, privileges),
        with(Level.FUNCTION, scope, privileges));
  }

  /** The privileges of a level, changed if the scope belongs to it. */
  private Map<String, Map<String, Set<Privilege>>> with(
      Level level, GrantScope scope, Set<Privilege> privileges) {
    return scope.level() == level
        ? with(named(level), scope, privileges, Set::isEmpty)
        : named(level);
  }

  private static <V> Map<String, Map<String, V>> with(
      Map<String, Map<String, V>> map, GrantScope scope, V value, Predicate<V> none) {
    Map<String, V> inSchema =
        with(map.getOrDefault(scope.schema(), Map.of()), scope.name(), value, none);
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
