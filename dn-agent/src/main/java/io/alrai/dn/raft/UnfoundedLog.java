package io.alrai.dn.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

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
    if (!Files.isDirectory(config.directory())) {
      return;
    }
    try (Stream<Path> found = Files.walk(config.directory())) {
      List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          config.directory() + " is left of another attempt and cannot be deleted: " + e,
          e);
    }
  }
}
