package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.CommitGate;
import io.alrai.dn.binlog.LongEvents;
import io.alrai.dn.binlog.SemiSyncStream;
import io.alrai.dn.binlog.WayOut;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.watch.OtherConnections;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of the leader, through the lives of the mysqld: no commit becomes visible without it.
 * Any thread but an event loop's.
 */
final class LeaderStream {
  private static final Logger log = LoggerFactory.getLogger(LeaderStream.class);

  /** Transactions up to this length are given on with their events. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final long LOOK_MILLIS = 20;
  private static final long DETACH_SECONDS = 5;

  /** Refuses new writes and returns when every running commit has ended. */
  private static final Sql DRAIN = Sql.of("SET GLOBAL super_read_only=ON");

  private final DnId dn;
  private final SemiSyncStream stream;
  private final BackendConnector connector;
  private final EventLoop loop;

  /**
   * A stream that is not attached.
   *
   * @param connector for its connections and the one that drains
   * @param loop the gate's: every commit of the mysqld waits for it
   * @param longOnes takes the events of transactions that are not given with them
   * @param kill SIGKILL of the mysqld, which is started again
   */
  LeaderStream(
      DnId dn,
      BackendConnector connector,
      EventLoop loop,
      LongEvents longOnes,
      CommitGate gate,
      AckedMark mark,
      Runnable kill) {
    this.dn = dn;
    this.stream =
        new SemiSyncStream(
            dn, connector, loop, KEPT_BYTES, longOnes, gate, mark, WayOut.standard(kill));
    this.connector = connector;
    this.loop = loop;
  }

  /**
   * Attaches to a mysqld that answers; returns when its commits come here.
   *
   * @param goOn false when the mysqld is dead or shall be ended: returns soon then
   * @return whether it is attached
   * @throws MysqldException when the stream is detached meanwhile, or closed
   */
  boolean attach(MysqldInstance instance, BooleanSupplier goOn) throws InterruptedException {
    CompletableFuture<Void> attached =
        stream.attach(
            instance
                .serverUuid()
                .orElseThrow(() ->
                    new MysqldException(Reason.START_FAILED, instance + " has no server UUID")));
    while (goOn.getAsBoolean()) {
      try {
        attached.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        log.trace("{}: not attached yet", dn);
      } catch (ExecutionException e) {
        throw new MysqldException(
            Reason.START_FAILED, "the stream of " + dn + " was ended: " + e.getMessage(), e);
      }
    }
    return false;
  }

  /**
   * As {@link #attach}, to a mysqld that runs.
   *
   * @param runs whether it still does
   * @throws MysqldException also when the mysqld ends meanwhile
   */
  void attachNow(MysqldInstance instance, BooleanSupplier runs) {
    try {
      if (!attach(instance, runs)) {
        throw new MysqldException(
            Reason.START_FAILED, "the mysqld of " + dn + " ended while it was attached to");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MysqldException(Reason.INTERRUPTED, "interrupted while attaching to " + dn, e);
    }
  }

  /**
   * Lets the mysqld end what is at work there, and begin nothing more. Ends all connections.
   *
   * @return whether that was done in time; then the stream is detached
   */
  boolean drain(Duration bound) throws InterruptedException {
    CompletableFuture<Void> drained = new CompletableFuture<>();
    loop.execute(() -> connector.open(loop, BackendAccount.AGENT, new OneUse(), drainer(drained)));
    try {
      drained.get(bound.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      log.warn("{}: commits or statements do not end and it is killed: {}", dn, e.toString());
      return false;
    }
  }

  private BranchTaker drainer(CompletableFuture<Void> drained) {
    return new BranchTaker() {
      @Override
      public void taken(Branch branch) {
        Answer.ofText(branch, DRAIN)
            .thenCompose(answer -> stream.detach())
            .thenCompose(gone -> new OtherConnections(dn, branch).end())
            .whenComplete((ended, error) -> {
              branch.close();
              if (error == null) {
                drained.complete(ended);
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

  /** Ends it; commits of a mysqld that still runs wait from now on. */
  void detach() {
    await(stream.detach());
  }

  /** As {@link #detach}, for good: whoever attaches it from now on fails. */
  void close() {
    await(stream.close());
  }

  private void await(CompletableFuture<Void> end) {
    try {
      end.get(DETACH_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.warn("{}: the stream does not end: {}", dn, e.toString());
    }
  }
}
