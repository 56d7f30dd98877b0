package io.alrai.dn.mysqld;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What belongs to a server's life besides the server. Called on its supervisor's thread, in the
 * order of the methods here; may block.
 */
public interface MysqldAttendant {
  /**
   * The server does not run and is about to be launched.
   *
   * @throws MysqldException to prevent that; tried again as every start is
   */
  void beforeLaunch(MysqldInstance instance);

  /**
   * The server answers; it counts as started when this returns.
   *
   * @param goOn false when the server is dead or shall be ended: returns soon then
   * @throws MysqldException when it cannot be used
   */
  void attach(MysqldInstance instance, BooleanSupplier goOn) throws InterruptedException;

  /**
   * The server is about to be ended in order.
   *
   * @return whether that can be done; otherwise it is killed
   */
  boolean drain(MysqldInstance instance, Duration bound) throws InterruptedException;

  /** After each {@link #attach}, whether it succeeded or not: the server is dead or about to be. */
  void detach(MysqldInstance instance);

  /** Nothing to do. */
  static MysqldAttendant none() {
    return new MysqldAttendant() {
      @Override
      public void beforeLaunch(MysqldInstance instance) {}

      @Override
      public void attach(MysqldInstance instance, BooleanSupplier goOn) {}

      @Override
      public boolean drain(MysqldInstance instance, Duration bound) {
        return true;
      }

      @Override
      public void detach(MysqldInstance instance) {}
    };
  }
}
