package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.ship.Feed;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files of the binary log that no consumer wants any more and recovery does not need, but
 * for a few. Looks whenever it is asked to.
 */
final class BinlogPurge {
  private static final Logger log = LoggerFactory.getLogger(BinlogPurge.class);

  /** Files kept beyond those that are wanted, for a consumer that soon comes back. */
  private static final int SPARE_FILES = 4;

  private final DnId dn;
  private final Feed feed;
  private final Supplier<String> needed;
  private final BackendConnector connector;
  private final EventLoop loop;
  private String purgedTo = "";

  /**
   * A purge that has not looked.
   *
   * @param needed the first file that recovery needs; empty where that is not known
   */
  BinlogPurge(
      DnId dn, Feed feed, Supplier<String> needed, BackendConnector connector, EventLoop loop) {
    this.dn = dn;
    this.feed = feed;
    this.needed = needed;
    this.connector = connector;
    this.loop = loop;
  }

  /** As {@link #purge}; a failure is left to the next look. Any thread. */
  void look() {
    purge()
        .exceptionally(error -> {
          // the mysqld may be down: the next look tries again
          log.debug("{}: the binary log is not purged: {}", dn, error.toString());
          return null;
        });
  }

  /** Deletes what may go; completes when that is done. Any thread. */
  CompletableFuture<Void> purge() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(() -> {
      String recovery = needed.get();
      Optional<String> first =
          feed.oldestWanted()
              .filter(wanted -> !recovery.isEmpty())
              .map(wanted -> number(wanted) < number(recovery) ? wanted : recovery)
              .flatMap(BinlogPurge::firstKept);
      if (first.isEmpty() || first.get().equals(purgedTo)) {
        done.complete(null);
      } else {
        connector.open(loop, BackendAccount.AGENT, new OneUse(), purger(first.get(), done));
      }
    });
    return done;
  }

  private static long number(String file) {
    return Long.parseLong(file.substring(file.lastIndexOf('.') + 1));
  }

  /** The file {@link #SPARE_FILES} before the wanted one, by the number in its name. */
  static Optional<String> firstKept(String wanted) {
    int dot = wanted.lastIndexOf('.');
    String digits = wanted.substring(dot + 1);
    long number = number(wanted) - SPARE_FILES;
    return number < 2
        ? Optional.empty()
        : Optional.of(
            wanted.substring(0, dot + 1) + String.format("%0" + digits.length() + "d", number));
  }

  private BranchTaker purger(String first, CompletableFuture<Void> done) {
    return new BranchTaker() {
      @Override
      public void taken(Branch branch) {
        Answer.of(branch, Sql.of("PURGE BINARY LOGS TO ").literal(first))
            .whenComplete((answer, error) -> {
              branch.close();
              if (error == null) {
                purgedTo = first;
                done.complete(null);
              } else {
                done.completeExceptionally(error);
              }
            });
      }

      @Override
      public void refused(AlraiException reason) {
        done.completeExceptionally(reason);
      }
    };
  }
}
