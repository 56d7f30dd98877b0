package io.alrai.dn.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.Trees;
import java.io.IOException;

/**
 * What is left of the log of a group that its only member was about to found, and has not: nobody
 * counts on anything in it. Stateless.
 */
public final class UnfoundedLog {
  private UnfoundedLog() {}

  /**
   * Deletes it, where there is one.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where that cannot be
   */
  public static void delete(GroupConfig config) {
    try {
      Trees.delete(config.directory());
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          config.directory() + " is left of another attempt and cannot be deleted: " + e,
          e);
    }
  }
}
