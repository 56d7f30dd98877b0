package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;

/** The errors of what was sent on a connection that is gone. */
final class LostReply {
  private LostReply() {}

  /** It may have run. */
  static AlraiException broken(DnId dn) {
    return new AlraiException(
        ErrorCode.CR_SERVER_LOST,
        "Lost connection to MySQL server during query: the connection to " + dn + " broke");
  }

  /** It has not run. */
  static AlraiException unread(DnId dn, String why) {
    return new AlraiException(
        ErrorCode.CR_SERVER_GONE_ERROR,
        "the connection to " + dn + " was gone before the statement was read there: " + why);
  }
}
