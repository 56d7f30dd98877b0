package io.alrai.cn.session;

/** What the client may do. */
public enum ClientState {
  /** It has no session yet. */
  LOGIN,
  /** Its next command begins at once. */
  IDLE,
  /** Its next command waits for {@link #done}. */
  AT_WORK,
  /** It is gone. */
  CLOSED;

  /** Whether {@code next} may follow. */
  public boolean mayBecome(ClientState next) {
    return switch (this) {
      case LOGIN, AT_WORK -> next == IDLE || next == CLOSED;
      case IDLE -> next == AT_WORK || next == CLOSED;
      case CLOSED -> false;
    };
  }
}
