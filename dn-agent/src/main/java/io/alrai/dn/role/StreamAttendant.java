package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.DirtyTail;
import io.alrai.dn.binlog.SemiSyncStream;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.mysqld.MysqldAttendant;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.alrai.dn.mysqld.MysqldInstance;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the promise that no commit becomes visible without the stream, from the launch of the
 * mysqld to its end: cuts what a killed one left, attaches before it counts as started, and lets it
 * end in order only when no commit waits.
 */
final class StreamAttendant implements MysqldAttendant {
  private static final Logger log = LoggerFactory.getLogger(StreamAttendant.class);
  private static final long LOOK_MILLIS = 20;
  private static final long DETACH_SECONDS = 5;
  private static final int NO_SUCH_THREAD = 1094;

  /** Refuses new writes and returns when every running commit has ended. Lists the replicas. */
  private static final Sql DRAIN =
      Sql.of(
          "SET GLOBAL super_read_only=ON;"
              + "SELECT id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'");

  private final DnId dn;
  private final SemiSyncStream stream;
  private final AckedMark mark;
  private final MysqldConnector connector;
  private final EventLoop loop;

  /**
   * An attendant.
   *
   * @param loop for the connection that drains
   */
  StreamAttendant(
      DnId dn, SemiSyncStream stream, AckedMark mark, MysqldConnector connector, EventLoop loop) {
    this.dn = dn;
    this.stream = stream;
    this.mark = mark;
    this.connector = connector;
    this.loop = loop;
  }

  @Override
  public void beforeLaunch(MysqldInstance instance) {
    try {
      DirtyTail.cut(instance, mark);
    } catch (IOException e) {
      throw new MysqldException(
          Reason.START_FAILED, "the binary log of " + dn + " cannot be cut: " + e.getMessage(), e);
    }
  }

  @Override
  public void attach(MysqldInstance instance, BooleanSupplier goOn) throws InterruptedException {
    CompletableFuture<Void> attached =
        stream.attach(
            instance
                .serverUuid()
                .orElseThrow(() ->
                    new MysqldException(Reason.START_FAILED, instance + " has no server UUID")));
    while (goOn.getAsBoolean()) {
      try {
        attached.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        log.trace("{}: not attached yet", dn);
      } catch (ExecutionException e) {
        throw new MysqldException(
            Reason.START_FAILED, "the stream of " + dn + " was ended: " + e.getMessage(), e);
      }
    }
  }

  @Override
  public boolean drain(MysqldInstance instance, Duration bound) throws InterruptedException {
    CompletableFuture<Answer> drained = new CompletableFuture<>();
    loop.execute(() -> connector.open(loop, BackendAccount.AGENT, new OneUse(), drainer(drained)));
    try {
      drained.get(bound.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      log.warn("{}: commits or statements do not end and it is killed: {}", dn, e.toString());
      return false;
    }
  }

  private BranchTaker drainer(CompletableFuture<Answer> drained) {
    return new BranchTaker() {
      @Override
      public void taken(Branch branch) {
        Answer.ofText(branch, DRAIN)
            .thenCompose(answer -> stream.detach().thenCompose(gone -> endDumps(branch, answer)))
            .whenComplete((answer, error) -> {
              branch.close();
              if (error == null) {
                drained.complete(answer);
              } else {
                drained.completeExceptionally(error);
              }
            });
      }

      @Override
      public void refused(AlraiException reason) {
        drained.completeExceptionally(reason);
      }
    };
  }

  /** With one of them alive, mysqld waits for 8 s before it ends. */
  private static CompletableFuture<Answer> endDumps(Branch branch, Answer listed) {
    Sql kills = Sql.of("DO 0");
    for (List<String> row : listed.rows()) {
      kills = kills.words(";KILL ").number(Long.parseLong(row.getFirst()));
    }
    return Answer.ofText(branch, kills)
        .exceptionallyCompose(error ->
            // one that ended by itself is fine
            error instanceof Answer.Failed failed && failed.is(NO_SUCH_THREAD)
                ? CompletableFuture.completedFuture(listed)
                : CompletableFuture.failedFuture(error));
  }

  @Override
  public void detach(MysqldInstance instance) {
    try {
      stream.detach().get(DETACH_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.warn("{}: the stream does not end: {}", dn, e.toString());
    }
  }
}
