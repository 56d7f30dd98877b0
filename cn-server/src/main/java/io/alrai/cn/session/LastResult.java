package io.alrai.cn.session;

import io.alrai.cn.settings.Diagnostics;
import io.alrai.common.wire.OkPacket;

/** What a session's last statements left: ids, counts and conditions. */
public final class LastResult {
  private final Runnable onCount;
  private long lastInsertId;
  private long rowCount = -1;
  private long foundRows;
  private Diagnostics diagnostics = Diagnostics.NONE;
  private StatementPath path = StatementPath.ADMIN;

  /**
   * What a new session has.
   *
   * @param onCount runs after each statement that was counted
   */
  LastResult(Runnable onCount) {
    this.onCount = onCount;
  }

  void reset() {
    lastInsertId = 0;
    rowCount = -1;
    foundRows = 0;
  }

  /** {@code LAST_INSERT_ID()}. */
  public long lastInsertId() {
    return lastInsertId;
  }

  /** A statement has made this id. */
  public void lastInsertId(long id) {
    lastInsertId = id;
  }

  /** {@code ROW_COUNT()}. */
  public long rowCount() {
    return rowCount;
  }

  /** ROW_COUNT() from now on: affected rows, or -1 after a result set or an error. */
  public void rowCount(long rows) {
    rowCount = rows;
    onCount.run();
  }

  /** {@code FOUND_ROWS()}. */
  public long foundRows() {
    return foundRows;
  }

  /** A SELECT has found so many rows, without its LIMIT. */
  public void foundRows(long rows) {
    foundRows = rows;
  }

  /**
   * One mysqld has answered a statement.
   *
   * @param rows of its result set; negative where it has none
   * @param idOfClient whether an id in the answer is the client's own, which LAST_INSERT_ID() does
   *     not show
   */
  public void answered(long rows, OkPacket ok, boolean idOfClient) {
    if (rows >= 0) {
      rowCount(-1);
      foundRows(rows);
      return;
    }
    rowCount(ok.affectedRows());
    if (ok.lastInsertId() != 0 && !idOfClient) {
      lastInsertId(ok.lastInsertId());
    }
  }

  /** The way that the statement at work takes, or the last one took. */
  public StatementPath path() {
    return path;
  }

  /** It takes this way. */
  public void path(StatementPath taken) {
    path = taken;
  }

  /** What SHOW WARNINGS shows. */
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /** A statement has raised these conditions, or none. */
  public void diagnostics(Diagnostics now) {
    diagnostics = now;
  }
}
