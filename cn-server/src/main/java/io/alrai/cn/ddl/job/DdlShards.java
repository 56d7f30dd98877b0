package io.alrai.cn.ddl.job;

import io.alrai.cn.branch.ShardCall;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.DnMembers;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The DNs' mysqlds as DDL steps use them: blocking, one connection at a time, autocommit. Safe for
 * several threads.
 */
public interface DdlShards {
  /**
   * The mysqlds' account that sees no schema of tables but the shadow schemas, as GRANT names it.
   */
  String SHADOW_ACCOUNT = "'alrai_meta'@'localhost'";

  /** The mysqlds' account that definitions run under: it may change any row of a client's table. */
  String DDL_ACCOUNT = "'alrai'@'localhost'";

  /** The DNs in an order that never changes; the first one checks statements. */
  List<DnId> dns();

  /**
   * The result of a statement.
   *
   * @param affectedRows of its OK
   * @param warnings what SHOW WARNINGS gives afterwards
   */
  record Executed(long affectedRows, List<SqlWarning> warnings) {
    public Executed {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Runs a statement that gives no rows.
   *
   * @param currentSchema empty for none
   * @param settings session variables that differ from a fresh connection's, name to SQL literal
   * @return what came of it
   * @throws io.alrai.common.error.AlraiException the mysqld's error as it is, or
   *     ALRAI_NODE_UNAVAILABLE
   */
  Executed execute(DnId dn, String currentSchema, Map<String, String> settings, Sql sql);

  /**
   * Runs a statement that makes a trigger or a routine: where it has a binary log, a mysqld lets
   * only its administrator do so.
   *
   * @param currentSchema empty for none
   * @param settings as {@link #execute} has them
   * @return the warnings
   * @throws io.alrai.common.error.AlraiException as {@link #execute}
   */
  default List<SqlWarning> executeAsAdmin(
      DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    return execute(dn, currentSchema, settings, sql).warnings();
  }

  /**
   * Runs a query on a connection with a fresh one's settings, under any schema.
   *
   * @return the rows as text; NULL is the empty text
   * @throws io.alrai.common.error.AlraiException as {@link #execute}
   */
  public default List<List<String>> query(DnId dn, Sql sql) {
    return query(dn, "", sql);
  }

  /**
   * Runs a query with a current schema.
   *
   * @param currentSchema empty for any
   */
  public List<List<String>> query(DnId dn, String currentSchema, Sql sql);

  /**
   * Reads the rows of a query of one column as they come, so that they need not fit into memory.
   *
   * @param settings as {@link #execute} has them
   * @param row takes each; not null
   * @throws io.alrai.common.error.AlraiException as {@link #execute}, and ER_OUT_OF_RESOURCES for a
   *     NULL
   */
  void read(DnId dn, Map<String, String> settings, Sql sql, Consumer<String> row);

  /**
   * These shards, with an observer of each statement that is sent.
   *
   * @param sent any thread
   */
  default DdlShards observed(Consumer<ShardCall> sent) {
    return this;
  }

  /** The members of each DN. */
  default Map<DnId, DnMembers> members() {
    return Map.of();
  }

  /** The account of {@link #SHADOW_ACCOUNT}'s kind to which schemas are shown. */
  default String shadowAccount() {
    return SHADOW_ACCOUNT;
  }
}
