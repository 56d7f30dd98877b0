package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the mysqlds' account for shadows may do in them, which definers of views may through it as
 * their role.
 *
 * <p>The mysqlds run with partial_revokes, under which GRANT takes a database's name as it is. With
 * patterns ({@code a\_b} for {@code a_b}), a mysqld finds what an account may do by comparing, but
 * what a role may do in the current database by the name as it was granted: no view of {@code a_b}
 * could be opened. Older clusters have such grants; {@link #keep} replaces them. Thread-safe.
 */
public final class ShadowGrants {
  private static final Logger log = LoggerFactory.getLogger(ShadowGrants.class);

  /** All that a client's statement asks for before it is routed. */
  private static final String PRIVILEGES =
      "SELECT, INSERT, UPDATE, DELETE, REFERENCES, SHOW VIEW, CREATE TEMPORARY TABLES, TRIGGER,"
          + " EVENT, EXECUTE";

  private final Supplier<Catalog> catalog;
  private final DdlShards shards;
  private final Set<DnId> kept = ConcurrentHashMap.newKeySet();

  /** No DN has been looked at. */
  public ShadowGrants(Supplier<Catalog> catalog, DdlShards shards) {
    this.catalog = catalog;
    this.shards = shards;
  }

  /** Gives the account the shadow of a schema. */
  public static Sql grant(String schema, String account) {
    return Sql.of("GRANT " + PRIVILEGES + " ON ").name(schema).words(".* TO ").written(account);
  }

  /** Takes it away, if the account has it. */
  public static Sql revoke(String schema, String account) {
    return Sql.of("REVOKE IF EXISTS " + PRIVILEGES + " ON ")
        .name(schema)
        .words(".* FROM ")
        .written(account);
  }

  /**
   * Looks once at each DN whether the account has all shadows, and gives it those that it has only
   * as a pattern or not at all. Blocks; a DN that is lost is left for the next call.
   */
  public void keep() {
    for (DnId dn : shards.dns()) {
      if (!kept.contains(dn)) {
        try {
          keep(dn);
          kept.add(dn);
        } catch (AlraiException e) {
          log.warn("grants of shadows on {} are left for the next time: {}", dn, e.sentence());
        }
      }
    }
  }

  private void keep(DnId dn) {
    Set<String> wanted = catalog.get().schemas().keySet();
    Set<String> granted = new HashSet<>();
    shards
        .query(
            dn,
            Sql.of("SELECT Db FROM mysql.db WHERE CONCAT(QUOTE(User), '@', QUOTE(Host)) = ")
                .string(shards.shadowAccount()))
        .forEach(row -> granted.add(row.getFirst()));
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(granted);
    for (String schema : missing) {
      log.info("{}: shadow schema {} is granted by its name", dn, schema);
      execute(dn, grant(schema, shards.shadowAccount()));
      String pattern = pattern(schema);
      if (granted.contains(pattern) && !wanted.contains(pattern)) {
        execute(dn, revoke(pattern, shards.shadowAccount()));
      }
    }
  }

  private void execute(DnId dn, Sql sql) {
    shards.execute(dn, "", SqlText.COPY_SETTINGS, sql);
  }

  /** The name as older versions have granted it. */
  private static String pattern(String schema) {
    return schema.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%");
  }
}
