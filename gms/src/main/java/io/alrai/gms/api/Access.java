package io.alrai.gms.api;

import io.alrai.gms.api.Privilege.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an account may do, in a form that is quick to check: bits by schema and table. As in MySQL
 * the global privileges are those of the login; those of schemas and tables follow the catalog by
 * {@link #renewed}, as all do while roles are active. Immutable, any thread.
 */
public final class Access {
  /** The privileges on a table that let an account see it. */
  private static final long OF_TABLES = Privilege.bits(Privilege.allAt(Level.TABLE));

  private static final long OF_SCHEMAS = Privilege.bits(Privilege.allAt(Level.SCHEMA));
  private static final long ALL = Privilege.bits(Privilege.allAt(Level.GLOBAL));

  private final String account;
  private final long version;
  private final Grants grants;
  private final List<String> active;
  private final Optional<PasswordRules> expired;
  private final boolean everything;
  private final long global;
  private final List<SchemaGrant> schemas;
  private final Map<String, Map<String, Long>> tables;
  private final Map<String, Map<String, ColumnGrants>> columns;
  private final Map<RoutineKind, Map<String, Map<String, Long>>> routines;

  /** What is granted on any column of a table, and on each. */
  private record ColumnGrants(long any, Map<String, Long> each) {
    static ColumnGrants of(Map<String, Set<Privilege>> privileges) {
      Map<String, Long> each = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      privileges.forEach((column, granted) -> each.put(column, Privilege.bits(granted)));
      return new ColumnGrants(each.values().stream().reduce(0L, (a, b) -> a | b), each);
    }
  }

  private record SchemaGrant(String pattern, long bits) {
    /** Names first, then patterns by how late their first wildcard is, as MySQL orders them. */
    int rank() {
      for (int i = 0; i < pattern.length(); i++) {
        char c = pattern.charAt(i);
        if (c == '\\') {
          i++;
        } else if (c == '%' || c == '_') {
          return i;
        }
      }
      return Integer.MAX_VALUE;
    }
  }

  private Access(
      String account,
      long version,
      Grants grants,
      List<String> active,
      Optional<PasswordRules> expired) {
    this.active = active;
    this.expired = expired;
    this.account = account;
    this.version = version;
    this.grants = grants;
    this.global = Privilege.bits(grants.global());
    this.everything =
        expired.isEmpty()
            && global == ALL
            && grants.dynamic().size() == DynamicPrivilege.values().length;
    this.schemas =
        grants.schemas().entrySet().stream()
            .map(entry -> new SchemaGrant(entry.getKey(), Privilege.bits(entry.getValue())))
            .sorted(Comparator.comparingInt(SchemaGrant::rank).reversed())
            .toList();
    this.tables = bits(grants.tables());
    this.routines = new EnumMap<>(RoutineKind.class);
    for (RoutineKind kind : RoutineKind.values()) {
      routines.put(kind, bits(grants.routines(kind)));
    }
    this.columns = new HashMap<>();
    grants
        .columns()
        .forEach((schema, byTable) -> {
          Map<String, ColumnGrants> each = new HashMap<>();
          byTable.forEach((table, byColumn) -> each.put(table, ColumnGrants.of(byColumn)));
          columns.put(schema, each);
        });
  }

  private static Map<String, Map<String, Long>> bits(
      Map<String, Map<String, Set<Privilege>>> grants) {
    Map<String, Map<String, Long>> bySchema = new HashMap<>();
    grants.forEach((schema, byName) -> {
      Map<String, Long> bits = new HashMap<>();
      byName.forEach((name, privileges) -> bits.put(name, Privilege.bits(privileges)));
      bySchema.put(schema, bits);
    });
    return bySchema;
  }

  /** What an account may do from its login on. */
  public static Access of(Account account, long catalogVersion) {
    return new Access(account.key(), catalogVersion, account.grants(), List.of(), Optional.empty());
  }

  /**
   * What an account may do with some of its roles active.
   *
   * @param active keys of them; a role that is not granted to the account is kept as a name only
   */
  public static Access of(Account account, Catalog catalog, Collection<String> active) {
    if (active.isEmpty()) {
      return of(account, catalog.version());
    }
    Set<String> granted = new TreeSet<>(active);
    granted.retainAll(account.roles().granted().keySet());
    Grants all = account.grants();
    for (Account role : reached(catalog, granted)) {
      all = all.with(role.grants());
    }
    return new Access(
        account.key(),
        catalog.version(),
        all,
        active.stream().distinct().sorted().toList(),
        Optional.empty());
  }

  /** What an account may do that has just logged in: its default roles are active. */
  public static Access ofLogin(Account account, Catalog catalog) {
    return of(account, catalog, account.roles().defaults());
  }

  /** The roles of these names, and the roles that these have. */
  public static List<Account> reached(Catalog catalog, Collection<String> roles) {
    Set<String> seen = new LinkedHashSet<>();
    Deque<String> next = new ArrayDeque<>(roles);
    List<Account> found = new ArrayList<>();
    while (!next.isEmpty()) {
      String key = next.poll();
      Account role = catalog.accounts().get(key);
      if (role != null && seen.add(key)) {
        found.add(role);
        next.addAll(role.roles().granted().keySet());
      }
    }
    return found;
  }

  /**
   * The access of this login at another version of the catalog. Returns itself for an account that
   * may do everything, and for one that has been dropped, whose sessions keep what they had.
   */
  public Access renewed(Catalog catalog) {
    if (everything && active.isEmpty() || catalog.version() == version) {
      return this;
    }
    Account now = catalog.accounts().get(account);
    if (now == null) {
      return this;
    }
    Optional<PasswordRules> still = expired.filter(now.password()::equals);
    if (!active.isEmpty()) {
      return of(now, catalog, active).expired(still);
    }
    Grants fresh = now.grants();
    return new Access(
        account,
        catalog.version(),
        new Grants(
            grants.global(),
            grants.dynamic(),
            fresh.schemas(),
            fresh.tables(),
            fresh.columns(),
            fresh.procedures(),
            fresh.functions()),
        active,
        still);
  }

  /** Whether it, or an active role, may grant a role to others. */
  public boolean administers(Catalog catalog, String role) {
    List<Account> holders = new ArrayList<>(reached(catalog, active));
    Account own = catalog.accounts().get(account);
    if (own != null) {
      holders.add(own);
    }
    return holders.stream().anyMatch(holder -> holder.roles().granted().getOrDefault(role, false));
  }

  /**
   * The access of this login with other roles active; itself for an account that has been dropped.
   */
  public Access with(Catalog catalog, Collection<String> roles) {
    Account now = catalog.accounts().get(account);
    return now == null ? this : of(now, catalog, roles).expired(expired);
  }

  /** The access of this login as right after it: with its default roles active. */
  public Access reset(Catalog catalog) {
    Account now = catalog.accounts().get(account);
    return now == null || now.roles().defaults().equals(Set.copyOf(active))
        ? this
        : ofLogin(now, catalog).expired(expired);
  }

  /** A copy whose password must be changed first, by these rules. */
  public Access expired(Optional<PasswordRules> rules) {
    return rules.equals(expired) ? this : new Access(account, version, grants, active, rules);
  }

  /** Whether the password must be changed before anything else. */
  public boolean expired() {
    return expired.isPresent();
  }

  /** Keys of the active roles, in order, some perhaps not granted any more. */
  public List<String> active() {
    return active;
  }

  /** {@code user@host} of the account. */
  public String account() {
    return account;
  }

  /** Its user. */
  public String user() {
    return Account.userOf(account);
  }

  /** Its host pattern. */
  public String host() {
    return Account.hostOf(account);
  }

  /** Whether it has all privileges globally: then there is nothing to check. */
  public boolean everything() {
    return everything;
  }

  /** The global privileges. */
  public long global() {
    return global;
  }

  /** Whether it has a global privilege. */
  public boolean has(Privilege privilege) {
    return (global & privilege.bit()) != 0;
  }

  /** Whether it has a dynamic privilege. */
  public boolean has(DynamicPrivilege privilege) {
    return grants.dynamic().containsKey(privilege);
  }

  /** Whether it may grant a dynamic privilege. */
  public boolean mayGrant(DynamicPrivilege privilege) {
    return grants.dynamic().getOrDefault(privilege, false);
  }

  /** What it may in a schema as a whole. */
  public long in(String schema) {
    return global | ofSchema(schema);
  }

  /** Only the most specific pattern counts, as in MySQL. */
  private long ofSchema(String schema) {
    for (SchemaGrant grant : schemas) {
      if (matches(grant.pattern, 0, schema, 0)) {
        return grant.bits;
      }
    }
    return 0;
  }

  /** What it may do with a table or view. */
  public long on(String schema, String table) {
    return in(schema) | named(tables, schema, table);
  }

  /** What it may do with a procedure or function, whatever the case of its name. */
  public long on(RoutineKind kind, String schema, String routine) {
    return in(schema)
        | named(routines.getOrDefault(kind, Map.of()), schema, Procedure.key(routine));
  }

  private static long named(Map<String, Map<String, Long>> grants, String schema, String name) {
    Map<String, Long> byName = grants.get(schema);
    return byName == null ? 0 : byName.getOrDefault(name, 0L);
  }

  /** Whether something is granted to it on single columns. */
  public boolean hasColumns() {
    return !columns.isEmpty();
  }

  /** What it may do with a table or view, or with some column of it. */
  public long onSome(String schema, String table) {
    ColumnGrants some = of(schema, table);
    return on(schema, table) | (some == null ? 0 : some.any);
  }

  /** What it may do with a column. */
  public long onColumn(String schema, String table, String column) {
    return on(schema, table) | ofColumn(schema, table, column);
  }

  /** What is granted by the name of the column. */
  public long ofColumn(String schema, String table, String column) {
    ColumnGrants some = of(schema, table);
    return some == null ? 0 : some.each.getOrDefault(column, 0L);
  }

  private @Nullable ColumnGrants of(String schema, String table) {
    Map<String, ColumnGrants> byTable = columns.get(schema);
    return byTable == null ? null : byTable.get(table);
  }

  /** Whether it may know that there is such a schema. */
  public boolean sees(String schema) {
    return ((global | ofSchema(schema)) & (OF_SCHEMAS | Privilege.SHOW_DATABASES.bit())) != 0
        || within(schema);
  }

  private boolean within(String schema) {
    return tables.containsKey(schema)
        || columns.containsKey(schema)
        || routines.values().stream().anyMatch(bySchema -> bySchema.containsKey(schema));
  }

  /** Whether it may choose such a schema: SHOW DATABASES is not enough. */
  public boolean uses(String schema) {
    return (in(schema) & OF_SCHEMAS) != 0 || within(schema);
  }

  /** Whether it may know that there is such a table. */
  public boolean sees(String schema, String table) {
    return (onSome(schema, table) & OF_TABLES) != 0;
  }

  /** Whether it may know of every column of every table of a schema. */
  public boolean seesColumnsOf(String schema) {
    return (in(schema) & Privilege.OF_COLUMNS) != 0;
  }

  /** Whether it may know of every column of a table. */
  public boolean seesColumnsOf(String schema, String table) {
    return (on(schema, table) & Privilege.OF_COLUMNS) != 0;
  }

  /** The columns of a table on which something is granted by name. */
  public Set<String> columnsOf(String schema, String table) {
    ColumnGrants some = of(schema, table);
    return some == null ? Set.of() : Collections.unmodifiableSet(some.each.keySet());
  }

  /** Whether it may know of every table of a schema. */
  public boolean seesAllOf(String schema) {
    return (in(schema) & OF_TABLES) != 0;
  }

  /** The tables of a schema on which, or on a column of which, something is granted by name. */
  public Set<String> tablesOf(String schema) {
    Set<String> names = new TreeSet<>(tables.getOrDefault(schema, Map.of()).keySet());
    names.addAll(columns.getOrDefault(schema, Map.of()).keySet());
    return names;
  }

  /** All its privileges. */
  public Grants grants() {
    return grants;
  }

  /** LIKE with a backslash as the escape, by characters. */
  private static boolean matches(String pattern, int from, String name, int at) {
    int p = from;
    int n = at;
    while (p < pattern.length()) {
      char c = pattern.charAt(p);
      if (c == '%') {
        for (int rest = n; rest <= name.length(); rest++) {
          if (matches(pattern, p + 1, name, rest)) {
            return true;
          }
        }
        return false;
      }
      if (n >= name.length()) {
        return false;
      }
      if (c == '\\' && p + 1 < pattern.length()) {
        p++;
        c = pattern.charAt(p);
      } else if (c == '_') {
        c = name.charAt(n);
      }
      if (c != name.charAt(n)) {
        return false;
      }
      p++;
      n++;
    }
    return n == name.length();
  }
}
