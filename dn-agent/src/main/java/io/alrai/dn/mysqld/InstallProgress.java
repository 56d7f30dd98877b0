package io.alrai.dn.mysqld;

import io.alrai.dn.fetch.FetchProgress;

/**
 * Observes the long steps of an installation, to show them to a person. Called on the working
 * thread.
 */
public interface InstallProgress extends FetchProgress {
  /** Shows nothing. */
  static InstallProgress silent() {
    return new InstallProgress() {
      @Override
      public void step(String sentence) {}

      @Override
      public void bytes(long done, long total) {}
    };
  }
}
