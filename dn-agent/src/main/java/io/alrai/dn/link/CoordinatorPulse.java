package io.alrai.dn.link;

import io.alrai.common.id.NodeId;
import java.time.Duration;

/** Whether a coordinator gives signs of life, of whatever kind. Thread-safe. */
@FunctionalInterface
public interface CoordinatorPulse {
  /** Coordinators in the agent's own process live as it does. */
  CoordinatorPulse OF_THIS_PROCESS = (coordinator, within) -> true;

  /** Whether anything came from it in the time that has just passed. */
  boolean heard(NodeId coordinator, Duration within);
}
