package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A DN as others see it. */
public interface ModelDn {
  /** Its name. */
  DnId dn();

  /** The agent that somebody believes to lead it. */
  ModelAgent leader();

  /** Somebody who has its rows and does not lead it, as far as anybody knows. */
  default Optional<ModelReplica> replica() {
    return Optional.empty();
  }

  /** Its rows when everything has come to its end. */
  Map<Integer, List<Long>> rows();

  /** Whether nothing is left to do. */
  boolean idle();

  /** What it does, for an error. */
  String state();

  /**
   * Something happens to it.
   *
   * @param kind below 0.7
   */
  void fault(double kind);

  /** Somebody sets its clock. */
  void setClock(long offset);
}
