package io.alrai.dn.raft;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds a member's log on disk: what this member itself needs no more goes, the oldest first, also
 * where another member has not got it. That one has to be made anew when it comes back. One thread
 * at a time.
 */
final class LogRetention {
  private static final Logger log = LoggerFactory.getLogger(LogRetention.class);

  private final String name;
  private final Path directory;
  private final LongSupplier most;
  private final LongSupplier released;
  private final Supplier<Optional<RaftServer.Division>> division;
  private long purged = -1;

  /**
   * A bound that nobody looks at yet.
   *
   * @param most bytes of all files
   * @param released up to which entry this member needs nothing, also after a start
   * @param division empty while there is none
   */
  LogRetention(
      String name,
      Path directory,
      LongSupplier most,
      LongSupplier released,
      Supplier<Optional<RaftServer.Division>> division) {
    this.name = name;
    this.directory = directory;
    this.most = most;
    this.released = released;
    this.division = division;
  }

  void look() {
    try {
      long surplus = LogFiles.bytes(directory) - most.getAsLong();
      if (surplus > 0) {
        division.get().ifPresent(of -> purge(of, surplus));
      }
    } catch (RuntimeException e) {
      log.warn("{}: its log is not made shorter", name, e);
    }
  }

  /**
   * The last entry that may go; -1 for none. The first one that stays is one that this member needs
   * no more: a member that takes the log on from there does without it.
   */
  static long upTo(List<LogFiles.Closed> files, long surplus, long released) {
    long upTo = -1;
    long freed = 0;
    for (LogFiles.Closed file : files) {
      if (freed >= surplus || file.last() >= released) {
        break;
      }
      freed += file.bytes();
      upTo = file.last();
    }
    return upTo;
  }

  private void purge(RaftServer.Division of, long surplus) {
    long upTo = upTo(LogFiles.closed(directory), surplus, released.getAsLong());
    if (upTo <= purged) {
      return;
    }
    purged = upTo;
    long last = upTo;
    List<String> without =
        of.getCommitInfos().stream()
            .filter(info -> info.getCommitIndex() < last)
            .map(info -> info.getServer().getId().toStringUtf8())
            .toList();
    log.warn(
        "{}: its log has more than {} bytes and does without the entries up to {}, which {} has"
            + " not got: rows there are to be made anew",
        name,
        most.getAsLong(),
        last,
        without);
    of.getRaftLog().purge(last);
  }
}
