package io.alrai.dn.role;

import io.alrai.dn.mysqld.MysqldAttendant;
import io.alrai.dn.mysqld.MysqldInstance;

/** Attends to a member's mysqld for whoever leads, if anybody. Thread-safe. */
interface LeaderAttendant extends MysqldAttendant {
  /**
   * From now on commits of the mysqld come to the stream; when this returns it is attached, if the
   * mysqld runs.
   *
   * @throws IllegalStateException when there is a leader already
   * @throws io.alrai.dn.mysqld.MysqldException when the mysqld ends meanwhile
   */
  void lead(MysqldInstance instance, LeaderStream stream);

  /**
   * That one leads no more: nothing becomes visible by its stream once this returns, even if the
   * supervisor is about to attach it.
   */
  void leave(LeaderStream stream);
}
