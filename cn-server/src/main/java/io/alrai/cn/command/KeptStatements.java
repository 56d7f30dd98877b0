package io.alrai.cn.command;

import io.alrai.cn.session.PreparedRoom;
import io.alrai.cn.session.PreparedStatement;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one session, by number or by name, which count among all of the CN.
 * Event loop only.
 */
final class KeptStatements<K> {
  /** Of one session, as MySQL has it for all. */
  private static final int MOST = 16_382;

  private final PreparedRoom room;
  private final Map<K, PreparedStatement> statements;
  private boolean closed;

  /**
   * None yet.
   *
   * @param statements empty; says which keys are the same
   */
  KeptStatements(PreparedRoom room, Map<K, PreparedStatement> statements) {
    this.room = room;
    this.statements = statements;
  }

  /**
   * Before one is prepared.
   *
   * @throws io.alrai.common.error.AlraiException 1461
   */
  void requireRoom(int textBytes) {
    if (statements.size() >= MOST) {
      throw PreparedRoom.refused(MOST);
    }
    room.require(textBytes);
  }

  void put(K key, PreparedStatement statement) {
    if (!closed) {
      remove(key);
      room.take(statement.sql().length);
      statements.put(key, statement);
    }
  }

  @Nullable PreparedStatement get(K key) {
    return statements.get(key);
  }

  @Nullable PreparedStatement remove(K key) {
    PreparedStatement removed = statements.remove(key);
    if (removed != null) {
      room.give(removed.sql().length);
    }
    return removed;
  }

  Collection<PreparedStatement> all() {
    return statements.values();
  }

  void clear() {
    statements.values().forEach(each -> room.give(each.sql().length));
    statements.clear();
  }

  /** Nothing is kept any more. */
  void close() {
    clear();
    closed = true;
  }
}
