package io.alrai.cn.forward;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;

/** Sends a statement that is forwarded, once its branch is there. Event loop only. */
public interface ForwardSender {
  /**
   * Queues the statement on the branch with the sink and flushes it. Called again, on another
   * branch, when the first read was disturbed.
   */
  void send(Branch branch, ReplySink reply);

  /** Whether it sends one text that is shorter than a packet. */
  boolean sendsText();

  /** Whether {@link #again} can be called. */
  default boolean runsAgain() {
    return false;
  }

  /** Runs the statement again, because its table is in another place now; {@link #over} follows. */
  default void again(AlraiException error) {}

  /** Called once, when the sender is not used any more. */
  void over();
}
