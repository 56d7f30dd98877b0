package io.alrai.dn.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file where a member's log should be: it was there once. The member may not begin another one,
 * not even when its group has dropped it and nobody knows its name any more. It says nothing where
 * the log is. Stateless.
 */
public final class LostMark {
  private static final Logger log = LoggerFactory.getLogger(LostMark.class);

  private LostMark() {}

  private static Path file(GroupConfig config) {
    return config.directory().resolve("lost");
  }

  /** Whether the log of a member was lost, and was not brought back. */
  public static boolean is(GroupConfig config) {
    return Files.exists(file(config)) && !GroupLog.isThere(config);
  }

  /** The log of a member is not there. */
  public static void write(GroupConfig config) {
    try {
      Files.createDirectories(config.directory());
      Files.writeString(file(config), config.name() + "\n");
    } catch (IOException e) {
      // as long as the catalog knows the member it is refused without
      log.error("{}: that its log is lost cannot be written down", config.name(), e);
    }
  }
}
