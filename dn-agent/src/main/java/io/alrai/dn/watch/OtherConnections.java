package io.alrai.dn.watch;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.Branch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections of a mysqld, which are ended before the mysqld is. By itself it waits two seconds
 * for those that are idle, eight for replicas, and closes them by force: the thread of a connection
 * with a prepared branch then often frees memory twice, and the whole process aborts (9.7.4). One
 * that was killed ends in order. On the branch's event loop.
 *
 * <p>The dump of a semi-sync replica ends when the receiver of acknowledgements, which sleeps for a
 * second, has seen that it does. What wakes it is the end of the socket: so the dump is interrupted
 * first, and its connection killed afterwards.
 */
public final class OtherConnections {
  private static final Logger log = LoggerFactory.getLogger(OtherConnections.class);

  /** Threads of the server's own end by themselves. */
  private static final Sql LIST =
      Sql.of(
          "SELECT id,command LIKE 'Binlog Dump%' FROM information_schema.processlist"
              + " WHERE id<>CONNECTION_ID() AND user NOT IN ('system user','event_scheduler')");

  private static final Sql LIST_AGAIN = Sql.of("DO SLEEP(0.01);").add(LIST);

  private static final Sql END_OWN = Sql.of("KILL CONNECTION_ID()");
  private static final Sql NOTHING = Sql.of("DO 0");

  /** The most looks, of 10 ms each: a killed connection may have much to roll back. */
  private static final int LOOKS = 100;

  private static final int NO_SUCH_THREAD = 1094;

  private final DnId dn;
  private final Branch branch;
  private final Set<Long> interrupted = new HashSet<>();
  private final Set<Long> killed = new HashSet<>();

  /**
   * Those of its mysqld.
   *
   * @param branch the one that ends them, in the agent's account
   */
  public OtherConnections(DnId dn, Branch branch) {
    this.dn = dn;
    this.branch = branch;
  }

  /**
   * Kills them, also those that come meanwhile, until none is left or they have had a second; at
   * last the branch's own.
   */
  public CompletableFuture<Void> end() {
    return Answer.ofText(branch, LIST)
        .thenCompose(listed -> endListed(listed.rows(), LOOKS))
        .thenCompose(ended -> endOwn());
  }

  /** A statement after its end fails as soon as its socket is closed. */
  private CompletableFuture<Void> endOwn() {
    CompletableFuture<Answer> end = Answer.ofText(branch, END_OWN);
    CompletableFuture<Answer> after = Answer.ofText(branch, NOTHING);
    return CompletableFuture.allOf(end, after).handle((answers, error) -> null);
  }

  private CompletableFuture<Void> endListed(List<List<String>> rows, int looks) {
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (looks == 0) {
      log.warn("{}: {} connections do not end before their mysqld", dn, rows.size());
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> kills = CompletableFuture.completedFuture(null);
    for (List<String> row : rows) {
      long id = Long.parseLong(row.getFirst());
      boolean dump = row.get(1).equals("1");
      if (dump && interrupted.add(id)) {
        kills = kills.thenCompose(before -> kill(Sql.of("KILL QUERY ").number(id)));
      } else if (killed.add(id)) {
        kills = kills.thenCompose(before -> kill(Sql.of("KILL ").number(id)));
      }
    }
    return kills
        .thenCompose(all -> Answer.ofText(branch, LIST_AGAIN))
        .thenCompose(listed -> endListed(listed.rows(), looks - 1));
  }

  private CompletableFuture<Void> kill(Sql kill) {
    return Answer.ofText(branch, kill)
        .handle((answer, error) -> {
          if (error == null || error instanceof Answer.Failed failed && failed.is(NO_SUCH_THREAD)) {
            return CompletableFuture.<Void>completedFuture(null);
          }
          return CompletableFuture.<Void>failedFuture(error);
        })
        .thenCompose(done -> done);
  }
}
