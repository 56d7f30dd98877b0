package io.alrai.dn.mysqld;

import java.util.Set;

/**
 * The life of a supervised server.
 *
 * <pre>
 *   NEW -&gt; STARTING -&gt; UP -&gt; DOWN -&gt; STARTING ...
 *              \         \      \
 *               +---------+------+--&gt; STOPPING -&gt; STOPPED
 * </pre>
 */
public enum MysqldState {
  /** Not started yet. */
  NEW,
  /** Launched; recovers or initialises. */
  STARTING,
  /** Answers. */
  UP,
  /** Ended by itself or was killed; will be started again after a pause. */
  DOWN,
  /** Asked to end. */
  STOPPING,
  /** Ended for good. */
  STOPPED;

  /** Whether {@code next} may follow. */
  public boolean mayBecome(MysqldState next) {
    return switch (this) {
      case NEW -> Set.of(STARTING, STOPPED).contains(next);
      case STARTING -> Set.of(UP, DOWN, STOPPING, STOPPED).contains(next);
      case UP -> Set.of(DOWN, STOPPING).contains(next);
      case DOWN -> Set.of(STARTING, STOPPING).contains(next);
      case STOPPING -> next == STOPPED;
      case STOPPED -> false;
    };
  }
}
