package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.shard.ShardCall;
import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;

/** Where rows are copied that a statement then runs over. One virtual thread. */
interface ScratchSite {
  /** Whatever the session's, what text is in the copies' own form is read as it is meant. */
  String LITERAL_MODE =
      "sql_mode=CONVERT(CONCAT_WS(',', 'NO_AUTO_VALUE_ON_ZERO',"
          + " IF(FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode), 'NO_BACKSLASH_ESCAPES', NULL),"
          + " IF(FIND_IN_SET('ANSI_QUOTES', @@sql_mode), 'ANSI_QUOTES', NULL),"
          + " IF(FIND_IN_SET('PIPES_AS_CONCAT', @@sql_mode), 'PIPES_AS_CONCAT', NULL)) USING"
          + " utf8mb4)";

  /** Whether rows of that DN, outside of a transaction, can be copied by one statement here. */
  boolean isAt(DnId dn);

  /** What {@code PlaceSchema} stands for in the statement. */
  String schema();

  /** The quoted name of a copy. */
  String name(String scratchName);

  /** Makes the copies, without rows. */
  void create(GatherPlan plan);

  /** Adds rows to a copy. */
  void fill(byte[] sql);

  /** Starts a query over copies, whose strings come in utf8mb4. */
  ShardCall read(byte[] sql);

  /** All rows of a table are copied. */
  void filled(GatherPlan.Source source);

  /** The copies are complete: the session's settings hold again. */
  void ready();

  /** Starts the statement. */
  ShardCall start(byte[] sql);

  /** Drops the copies. */
  void drop();

  /** The literal of a system variable as the session has it. */
  static String setting(Session session, String name) {
    String literal = session.settings().literal(name);
    return literal.isEmpty() ? SessionSettings.initial(name) : literal;
  }
}
