package io.alrai.dn.mysqld;

import io.alrai.dn.fetch.FetchProgress;

/** Hears what takes long, so that a person can be shown it. Called on the working thread. */
public interface InstallProgress extends FetchProgress {
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
