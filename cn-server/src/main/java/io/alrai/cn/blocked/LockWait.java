package io.alrai.cn.blocked;

import io.alrai.common.sql.Sql;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session waits for a lock of another one, on a DN. */
public record LockWait(String dn, Side waiting, Side blocking) {
  /**
   * One of the two.
   *
   * @param lock that it wants, or has, with the name of the logical schema
   * @param session its id, for KILL; none for what is of no session, or of a CN that is silent
   * @param statement at work
   */
  record Side(
      MysqldWait.Transaction transaction,
      Optional<MysqldWait.Lock> lock,
      Optional<Long> session,
      Optional<String> statement) {}

  /** Since when, by the mysqld's clock. */
  @Nullable String started() {
    return waiting.transaction.waitStarted();
  }

  /** In the order of the columns of sys.innodb_lock_waits. */
  public List<@Nullable Object> values() {
    MysqldWait.Transaction waits = waiting.transaction;
    MysqldWait.Transaction blocks = blocking.transaction;
    MysqldWait.Lock wanted = waiting.lock.orElse(NONE);
    MysqldWait.Lock had = blocking.lock.orElse(NONE);
    @Nullable String table =
        wanted.schema() == null || wanted.table() == null
            ? null
            : Sql.quote(wanted.schema()) + "." + Sql.quote(wanted.table());
    return Arrays.asList(
        waits.waitStarted(),
        waits.waitAge(),
        waits.waitSeconds(),
        table,
        wanted.schema(),
        wanted.table(),
        wanted.partition(),
        wanted.subpartition(),
        wanted.index(),
        wanted.type(),
        waits.id(),
        waits.started(),
        waits.age(),
        waits.rowsLocked(),
        waits.rowsModified(),
        waiting.session.orElse(null),
        waiting.statement.orElse(null),
        wanted.id(),
        wanted.mode(),
        blocks.id(),
        blocking.session.orElse(null),
        blocking.statement.orElse(null),
        had.id(),
        had.mode(),
        blocks.started(),
        blocks.age(),
        blocks.rowsLocked(),
        blocks.rowsModified(),
        blocking.session.map(id -> "KILL QUERY " + id).orElse(null),
        blocking.session.map(id -> "KILL " + id).orElse(null));
  }

  private static final MysqldWait.Lock NONE =
      new MysqldWait.Lock("", null, null, null, null, null, null, null);
}
