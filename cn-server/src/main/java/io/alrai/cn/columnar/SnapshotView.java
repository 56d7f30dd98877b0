package io.alrai.cn.columnar;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A view of one DN at a snapshot, on a connection of its own. Blocking; one thread at a time, no
 * event loop's.
 */
final class SnapshotView implements AutoCloseable {
  private static final String START =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;"
          + "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
  private static final String END = "ROLLBACK AND NO CHAIN NO RELEASE";
  private static final int MOST_ATTEMPTS = 40;

  /** Rows of a table come all the time, unless somebody has a lock on it or the mysqld hangs. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  private final Branch branch;
  private final HlcTimestamp at;

  private SnapshotView(Branch branch, HlcTimestamp at) {
    this.branch = branch;
    this.at = at;
  }

  /**
   * Opens a view at a snapshot that the DN can show.
   *
   * @param now chooses one; asked again when the DN has moved past it
   */
  static SnapshotView open(
      DnLink link, EventLoop loop, SessionSettings settings, Supplier<HlcTimestamp> now) {
    Branch branch = Waits.get(take(link, loop, settings));
    boolean opened = false;
    try {
      for (int i = 0; i < MOST_ATTEMPTS; i++) {
        HlcTimestamp at = now.get();
        CompletableFuture<Opening> answer = new CompletableFuture<>();
        loop.execute(() ->
            link.views()
                .open(branch, at, START, END, false)
                .whenComplete((done, error) -> {
                  if (error == null) {
                    answer.complete(done);
                  } else {
                    answer.completeExceptionally(error);
                  }
                }));
        if (Waits.get(answer) instanceof Opening.Open) {
          opened = true;
          return new SnapshotView(branch, at);
        }
      }
    } finally {
      if (!opened) {
        loop.execute(branch::close);
      }
    }
    throw new AlraiException(
        ErrorCode.ALRAI_SNAPSHOT_TOO_OLD, link.dn() + " keeps moving past every snapshot");
  }

  private static CompletableFuture<Branch> take(
      DnLink link, EventLoop loop, SessionSettings settings) {
    CompletableFuture<Branch> taken = new CompletableFuture<>();
    BranchTaker taker =
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            BranchPreparation.queue(branch, settings, "");
            BranchPreparation.whenIdle(
                branch,
                error -> {
                  if (error == null) {
                    taken.complete(branch);
                  } else {
                    branch.close();
                    taken.completeExceptionally(error);
                  }
                });
          }

          @Override
          public void refused(AlraiException reason) {
            taken.completeExceptionally(reason);
          }
        };
    loop.execute(() -> link.take(loop, BackendAccount.DATA, "", taker));
    return taken;
  }

  /** The snapshot that it shows. */
  HlcTimestamp at() {
    return at;
  }

  /**
   * Gives the payload of each row of a query, which is one that gives rows all the time.
   *
   * @throws AlraiException the query's error; ALRAI_NODE_UNAVAILABLE when nothing comes for {@link
   *     #SILENCE}; ER_QUERY_INTERRUPTED
   */
  void query(Sql sql, Consumer<byte[]> rows) {
    ShardCall call = new ShardCall(() -> {});
    call.speaksWithin(SILENCE);
    branch
        .eventLoop()
        .execute(() -> {
          call.runsOn(branch);
          call.endsBy(() -> branch.eventLoop().execute(branch::close)); // the view goes with it
          branch.send(Commands.query(ByteBufAllocator.DEFAULT, sql), ReplyKind.RESULTS, call);
          branch.flush();
        });
    try (call) {
      call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        rows.accept(row);
      }
      call.status();
    }
  }

  /** The connection goes with its view. */
  @Override
  public void close() {
    branch.eventLoop().execute(branch::close);
  }
}
