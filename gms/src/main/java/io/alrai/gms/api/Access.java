package io.alrai.gms.api;

import io.alrai.gms.api.Privilege.Level;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an account may do, as one reads it off quickly: bits by schema and table. As in MySQL the
 * global privileges are those of the login; those of schemas and tables follow the catalog by
 * {@link #renewed}. Immutable, any thread.
 */
public final class Access {
  /** Of a table: what lets one see that it is there. */
  private static final long OF_TABLES = Privilege.bits(Privilege.allAt(Level.TABLE));

  private static final long OF_SCHEMAS = Privilege.bits(Privilege.allAt(Level.SCHEMA));
  private static final long ALL = Privilege.bits(Privilege.allAt(Level.GLOBAL));

  private final String account;
  private final long version;
  private final Grants grants;
  private final boolean everything;
  private final long global;
  private final List<SchemaGrant> schemas;
  private final Map<String, Map<String, Long>> tables;

  private record SchemaGrant(String pattern, long bits) {
    /** Names first, then by how late the first wildcard stands, as MySQL orders them. */
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

  private Access(String account, long version, Grants grants) {
    this.account = account;
    this.version = version;
    this.grants = grants;
    this.global = Privilege.bits(grants.global());
    this.everything = global == ALL && grants.dynamic().size() == DynamicPrivilege.values().length;
    this.schemas =
        grants.schemas().entrySet().stream()
            .map(entry -> new SchemaGrant(entry.getKey(), Privilege.bits(entry.getValue())))
            .sorted(Comparator.comparingInt(SchemaGrant::rank).reversed())
            .toList();
    this.tables = new HashMap<>();
    grants
        .tables()
        .forEach((schema, byTable) -> {
          Map<String, Long> bits = new HashMap<>();
          byTable.forEach((table, privileges) -> bits.put(table, Privilege.bits(privileges)));
          tables.put(schema, bits);
        });
  }

  /** What an account may do from its login on. */
  public static Access of(Account account, long catalogVersion) {
    return new Access(account.key(), catalogVersion, account.grants());
  }

  /**
   * The same login's at another version of the catalog: itself for one that may do everything, and
   * for an account that is gone, whose sessions keep what they had.
   */
  public Access renewed(Catalog catalog) {
    if (everything || catalog.version() == version) {
      return this;
    }
    Account now = catalog.accounts().get(account);
    if (now == null) {
      return this;
    }
    Grants fresh = now.grants();
    return new Access(
        account,
        catalog.version(),
        new Grants(grants.global(), grants.dynamic(), fresh.schemas(), fresh.tables()));
  }

  /** {@code user@host} of the account. */
  public String account() {
    return account;
  }

  /** Its user. */
  public String user() {
    return account.substring(0, account.lastIndexOf('@'));
  }

  /** Its host pattern. */
  public String host() {
    return account.substring(account.lastIndexOf('@') + 1);
  }

  /** Whether it has all privileges globally: then there is nothing to check. */
  public boolean everything() {
    return everything;
  }

  /** The global ones. */
  public long global() {
    return global;
  }

  /** Whether it has a global one. */
  public boolean has(Privilege privilege) {
    return (global & privilege.bit()) != 0;
  }

  /** Whether it has a dynamic one. */
  public boolean has(DynamicPrivilege privilege) {
    return grants.dynamic().containsKey(privilege);
  }

  /** Whether it may grant a dynamic one. */
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
    Map<String, Long> byTable = tables.get(schema);
    return in(schema) | (byTable == null ? 0 : byTable.getOrDefault(table, 0L));
  }

  /** Whether it may know that there is such a schema. */
  public boolean sees(String schema) {
    return ((global | ofSchema(schema)) & (OF_SCHEMAS | Privilege.SHOW_DATABASES.bit())) != 0
        || tables.containsKey(schema);
  }

  /** Whether it may choose such a schema: SHOW DATABASES is not enough. */
  public boolean uses(String schema) {
    return (in(schema) & OF_SCHEMAS) != 0 || tables.containsKey(schema);
  }

  /** Whether it may know that there is such a table. */
  public boolean sees(String schema, String table) {
    return (on(schema, table) & OF_TABLES) != 0;
  }

  /** Whether it may know of every table of a schema. */
  public boolean seesAllOf(String schema) {
    return (in(schema) & OF_TABLES) != 0;
  }

  /** The tables of a schema on which something is granted by name. */
  public Set<String> tablesOf(String schema) {
    return Set.copyOf(tables.getOrDefault(schema, Map.of()).keySet());
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
