package io.alrai.cn.session;

import io.alrai.cn.cursor.CursorRows;
import io.alrai.common.type.ParameterTypes;
import io.alrai.optimizer.api.shape.ShapedText;
import org.jspecify.annotations.Nullable;

/** A prepared statement of the binary protocol, as its session knows it. Owned by the session. */
public final class PreparedStatement {
  private final int id;
  private final byte[] sql;
  private final ShapedText shaped;
  private final String text;
  private final boolean traced;
  private final LongData longData = new LongData();
  private @Nullable CursorRows cursor;
  private int parameters;
  private byte[] types = new byte[0];
  private final ParameterTypes derived = new ParameterTypes();

  /**
   * A statement about to be prepared.
   *
   * @param sql in the session's character set
   * @param shaped the same, cut into shape and slots
   * @param traced whether its executions are
   */
  public PreparedStatement(int id, byte[] sql, ShapedText shaped, boolean traced) {
    this.id = id;
    this.sql = sql;
    this.shaped = shaped;
    this.text = shaped.text();
    this.traced = traced;
  }

  /** One that is not traced. */
  public PreparedStatement(int id, byte[] sql, ShapedText shaped) {
    this(id, sql, shaped, false);
  }

  /** The client's number for it. */
  public int id() {
    return id;
  }

  /** Its text in the session's character set. */
  public byte[] sql() {
    return sql;
  }

  /** Its text. */
  public String text() {
    return text;
  }

  /** Whether TRACE was before it. */
  public boolean traced() {
    return traced;
  }

  /** Its shape and slots. */
  public ShapedText shaped() {
    return shaped;
  }

  /** How many parameters it takes. */
  public int parameters() {
    return parameters;
  }

  /** Notes what the mysqld said. */
  public void parameters(int count) {
    parameters = count;
  }

  /** Two bytes for each parameter as the client last bound them; empty before the first time. */
  public byte[] types() {
    return types;
  }

  /** Notes the types of an execution. */
  public void types(byte[] bound) {
    types = bound;
    derived.follow(bound);
  }

  /** What its parameters are for a mysqld that executes it. */
  public String parameterTypes() {
    return derived.toString();
  }

  /** Its open cursor; null for none. */
  public @Nullable CursorRows cursor() {
    return cursor;
  }

  /** Opens a cursor; it is closed with the statement, or before its next execution. */
  public void open(CursorRows rows) {
    cursor = rows;
  }

  /** Gives up its cursor, if it has one, to whoever closes it. */
  public @Nullable CursorRows takeCursor() {
    CursorRows open = cursor;
    cursor = null;
    return open;
  }

  /** Data sent ahead by STMT_SEND_LONG_DATA. */
  public LongData longData() {
    return longData;
  }
}
