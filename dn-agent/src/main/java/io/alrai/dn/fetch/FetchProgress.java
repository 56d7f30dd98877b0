package io.alrai.dn.fetch;

/** Hears how far a fetch is. Called on the working thread. */
public interface FetchProgress {
  /** A new step began. */
  void step(String sentence);

  /**
   * How far the running step is.
   *
   * @param done bytes so far
   * @param total bytes in all, at least 1
   */
  void bytes(long done, long total);
}
