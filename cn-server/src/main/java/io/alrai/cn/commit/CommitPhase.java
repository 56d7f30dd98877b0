package io.alrai.cn.commit;

/**
 * Where a commit over several DNs is.
 *
 * <pre>
 * PREPARING -> DECIDING -> SUBMITTING -> ANSWERED -> FINISHED
 *     |            |
 *     |            +--> IN_DOUBT   the answer to the decision was lost
 *     +------------+--> ROLLED_BACK
 * </pre>
 */
enum CommitPhase {
  /** The others are being prepared, and the primary's agent expects a decision. */
  PREPARING,

  /** All are prepared: the local commit of the primary's branch decides. */
  DECIDING,

  /** Decided: the agents of the others hear of it. The client may not be answered yet. */
  SUBMITTING,

  /** The client is answered; rows may still be locked. */
  ANSWERED,

  /** No lock is left, or the agents remove the last ones. */
  FINISHED,

  /** Nothing is decided, and nothing will be. */
  ROLLED_BACK,

  /** It may have been decided. The agents find out; the client does not hear of it. */
  IN_DOUBT;

  /** Whether a commit may go from here to there. */
  boolean mayBecome(CommitPhase next) {
    return switch (this) {
      case PREPARING -> next == DECIDING || next == ROLLED_BACK;
      case DECIDING -> next == SUBMITTING || next == ROLLED_BACK || next == IN_DOUBT;
      case SUBMITTING -> next == ANSWERED;
      case ANSWERED -> next == FINISHED;
      case FINISHED, ROLLED_BACK, IN_DOUBT -> false;
    };
  }
}
