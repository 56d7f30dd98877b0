package io.alrai.dn.mysqld;

/** Hears what takes long, so that a person can be shown it. Called on the working thread. */
public interface InstallProgress {
  /** A new step began. */
  void step(String sentence);

  /**
   * How far the running step is.
   *
   * @param done bytes so far
   * @param total bytes in all, at least 1
   */
  void bytes(long done, long total);

  /** Tells nobody. */
  static InstallProgress silent() {
    return new InstallProgress() {
      @Override
      public void step(String sentence) {}

      @Override
      public void bytes(long done, long total) {}
    };
  }
}
