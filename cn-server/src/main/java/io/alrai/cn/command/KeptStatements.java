package io.alrai.cn.command;

import io.alrai.cn.session.PreparedRoom;
import io.alrai.cn.session.PreparedStatement;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one session, by number or by name; they count towards the bound of the
 * CN. Event loop only.
 */
final class KeptStatements<K> {
  /** The most of one session; MySQL's default for a whole server. */
  private static final int MOST = 16_382;

  private final PreparedRoom room;
  private final Map<K, PreparedStatement> statements;
  private boolean closed;

  /**
   * Begins without statements.
   *
   * @param statements empty; decides which keys are equal
   */
  KeptStatements(PreparedRoom room, Map<K, PreparedStatement> statements) {
    this.room = room;
    this.statements = statements;
  }

  /**
   * Checks that one more may be prepared.
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

  /** Forgets all statements. */
  void close() {
    clear();
    closed = true;
  }
}
