package io.alrai.cn.session;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.common.wire.StateChange;

/** Tells a client that asks for it when its session's stamp has grown. Owned as the session is. */
final class StampTracker {
  private final boolean understood;
  private final SessionReads reads;
  private boolean wanted;
  private long last;

  /**
   * A tracker.
   *
   * @param understood whether the client understands changes of state at all
   */
  StampTracker(boolean understood, SessionReads reads) {
    this.understood = understood;
    this.reads = reads;
  }

  /** The client may have changed session_track_system_variables. */
  void follow(SessionSettings settings) {
    wanted =
        understood && OwnVariables.tracksStamp(settings.literal("session_track_system_variables"));
  }

  /** What the next OK says. */
  StateChange next() {
    if (!wanted) {
      return StateChange.NONE;
    }
    long stamp = reads.stamp();
    if (stamp == last) {
      return StateChange.NONE;
    }
    last = stamp;
    return new StateChange(OwnVariables.SESSION_STAMP, Long.toString(stamp));
  }
}
