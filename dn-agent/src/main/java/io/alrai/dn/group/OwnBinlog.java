package io.alrai.dn.group;

import io.alrai.common.file.DurableFiles;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.alrai.dn.mysqld.MysqldInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binary log of a member's mysqld, which is of use only while the mysqld runs: the group's log
 * has all that was acknowledged, and what else is in this one must not come back. Where a mysqld
 * finds no log its engine rolls back whatever was not committed there.
 */
public final class OwnBinlog {
  private static final Logger log = LoggerFactory.getLogger(OwnBinlog.class);
  private static final String INDEX = "binlog.index";

  /** Files, the index, and what a mysqld or an agent that was killed left of a change of these. */
  private static final Pattern FILES =
      Pattern.compile("binlog\\.(\\d+|index|index_crash_safe|index\\.next|~rec~)");

  private OwnBinlog() {}

  /**
   * Deletes it; to be called while the mysqld does not run, before every start. After a crash in
   * the middle the next call deletes the rest. The index goes first: a mysqld that was started
   * without this call would begin a log of its own then, and not read half of the old one.
   *
   * @throws MysqldException IO
   */
  public static void delete(MysqldInstance instance) {
    delete(instance.dataDirectory());
  }

  static void delete(Path dataDirectory) {
    try {
      List<Path> files;
      try (Stream<Path> all = Files.list(dataDirectory)) {
        files =
            all.filter(file -> FILES.matcher(file.getFileName().toString()).matches())
                .sorted()
                .toList();
      }
      if (files.isEmpty()) {
        return;
      }
      Files.deleteIfExists(dataDirectory.resolve(INDEX));
      DurableFiles.force(dataDirectory);
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      DurableFiles.force(dataDirectory);
      log.info(
          "{}: the mysqld starts without its binary log ({} files)", dataDirectory, files.size());
    } catch (IOException e) {
      throw new MysqldException(
          Reason.IO, "the binary log in " + dataDirectory + " cannot be deleted: " + e, e);
    }
  }
}
