package io.alrai.dn.xa;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * The log in which a leader finds what was decided before it began, and how much of that nobody has
 * to read any more. Any thread.
 */
public interface DecisionLog extends LogReader.Source {
  /**
   * What need not be read to know all decisions: what {@link #settle} was given last, by any
   * leader.
   *
   * @throws IOException when that is written somewhere and cannot be read
   */
  GtidSet settled() throws IOException;

  /**
   * From now on this need not be read. Completes when that is durable; fails, for example, when the
   * disk is full: then the old one stays.
   */
  CompletableFuture<Void> settle(GtidSet settled);

  /**
   * Whether it is the mysqld's own log: then the mysqld's gtid_purged says what is missing in it.
   */
  boolean ofMysqld();

  /**
   * The log of a mysqld that is alone.
   *
   * @param log reads it
   * @param file keeps what is settled; it may not exist yet
   */
  static DecisionLog of(LogReader.Source log, Path file) {
    return new MysqldDecisionLog(
        log, new SettledMark(file, task -> Thread.ofVirtual().start(task)));
  }
}
