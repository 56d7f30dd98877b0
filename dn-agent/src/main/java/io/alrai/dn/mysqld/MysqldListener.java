package io.alrai.dn.mysqld;

/**
 * Hears of a server's coming and going, in order, on its supervisor's thread: must not block, and
 * must not stop the supervisor.
 */
public interface MysqldListener {
  /** It answers on its socket; all earlier connections are dead. */
  void up(MysqldInstance instance);

  /** It ended or is about to be ended: connections are dead or will be. Once for each up. */
  void down(MysqldInstance instance, String reason);

  /** Ignores everything. */
  static MysqldListener none() {
    return new MysqldListener() {
      @Override
      public void up(MysqldInstance instance) {}

      @Override
      public void down(MysqldInstance instance, String reason) {}
    };
  }
}
