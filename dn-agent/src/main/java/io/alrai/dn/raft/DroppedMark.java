package io.alrai.dn.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file in the directory of a member's log: its group goes on without it. A member with an old log
 * must not be started as a voter again, not even by a configuration that names it.
 */
final class DroppedMark {
  private static final Logger log = LoggerFactory.getLogger(DroppedMark.class);

  private DroppedMark() {}

  private static Path file(GroupConfig config) {
    return config.directory().resolve("dropped");
  }

  static boolean is(GroupConfig config) {
    return Files.exists(file(config));
  }

  /**
   * The member may begin.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where it may not
   */
  static void refuse(GroupConfig config) {
    if (is(config)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          config.name()
              + " was dropped from the group of "
              + config.group()
              + ": end its process and remove its directory; to add it again, begin with an empty"
              + " one");
    }
  }

  static void write(GroupConfig config) {
    try {
      Files.writeString(file(config), config.name() + "\n");
    } catch (IOException e) {
      // it does not vote, and hears it again after its next start
      log.error("{}: that it was dropped cannot be written down", config.name(), e);
    }
  }
}
