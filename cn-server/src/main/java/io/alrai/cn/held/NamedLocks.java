package io.alrai.cn.held;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.QueryKiller;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.branch.StatusSink;
import io.alrai.cn.branch.WarningsFetch;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.optimizer.api.AdminStatement;
import io.netty.buffer.ByteBufAllocator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A session's named locks. One mysqld keeps those of all sessions on all CNs; it does the waiting,
 * finds deadlocks and knows who has what. A session has a connection of its own there from its
 * first lock to its last. Where that connection breaks the locks are gone, as they are when a plain
 * mysqld restarts: the client's connection ends then, too. Event loop only, unless said otherwise.
 *
 * <pre>
 * FREE -> BUSY (start) -> HELD (ended, with locks) -> BUSY ... -> FREE (ended without, releaseAll)
 *                         HELD -> LOST (the connection broke)
 * </pre>
 */
public final class NamedLocks {
  /** In seconds: the most that mysqld takes. The client's own wait_timeout is about the client. */
  static final int LONGEST_WAIT = 31_536_000;

  private final TransactionSource source;
  private final QueryKiller killer;

  /** Owned by whoever has the session. */
  private final HeldLocks held = new HeldLocks();

  private @Nullable Branch branch;

  /** The statement that waits for a connection. */
  private @Nullable Start waiting;

  private boolean abandoned;

  public NamedLocks(TransactionSource source) {
    this.source = source;
    this.killer = new QueryKiller(source);
  }

  /** What the session holds; whoever runs a statement updates it before {@link #ended}. */
  public HeldLocks held() {
    return held;
  }

  /**
   * Starts a statement on the connection with the locks; {@link #ended} follows its end. Any thread
   * that has the session.
   *
   * @param owner the session's CONNECTION_ID()
   * @param warnings takes them before the call is complete; thread-safe
   */
  public ShardCall start(
      SessionSettings settings, int owner, byte[] sql, Queue<Condition> warnings) {
    ShardCall call = new ShardCall(() -> {});
    Start start = new Start(settings, owner, sql, call, warnings);
    source
        .loop()
        .execute(() -> {
          Branch mine = branch;
          if (abandoned) {
            call.refuse(AlraiException.interruption());
          } else if (mine != null) {
            start.on(mine);
          } else {
            waiting = start;
            take(start);
          }
        });
    return call;
  }

  private void take(BranchTaker taker) {
    try {
      source.takeForNamedLocks(taker);
    } catch (AlraiException noLink) {
      taker.refused(noLink);
    }
  }

  /** A statement on its way. */
  private final class Start implements BranchTaker {
    private final SessionSettings settings;
    private final int owner;
    private final byte[] sql;
    private final ShardCall call;
    private final Queue<Condition> warnings;

    Start(
        SessionSettings settings,
        int owner,
        byte[] sql,
        ShardCall call,
        Queue<Condition> warnings) {
      this.settings = settings;
      this.owner = owner;
      this.sql = sql;
      this.call = call;
      this.warnings = warnings;
    }

    @Override
    public void taken(Branch taken) {
      if (waiting != this) {
        taken.release();
        return;
      }
      waiting = null;
      branch = taken;
      on(taken);
    }

    @Override
    public void refused(AlraiException reason) {
      if (waiting == this) {
        waiting = null;
        call.refuse(reason);
      }
    }

    void on(Branch mine) {
      if (call.abandoned()) {
        call.refuse(AlraiException.interruption());
        return;
      }
      call.runsOn(mine);
      BranchPreparation.queue(mine, settings, "");
      BranchControl.queue(
          mine,
          Sql.of(
                  "SET SESSION wait_timeout="
                      + LONGEST_WAIT
                      + ",@"
                      + AdminStatement.NamedLocks.OWNER_VARIABLE
                      + "=")
              .number(owner));
      mine.send(
          Commands.query(ByteBufAllocator.DEFAULT, sql),
          ReplyKind.RESULTS,
          new WarningsFetch(call, mine, warnings));
      mine.flush();
    }
  }

  /**
   * The statement has ended, and {@link #held} says what it left. Any thread that has the session.
   */
  public void ended() {
    boolean free = held.none();
    source
        .loop()
        .execute(() -> {
          if (free) {
            giveBack();
          }
        });
  }

  /** KILL QUERY of the statement at work. Any thread. */
  public void kill() {
    source
        .loop()
        .execute(() -> {
          Branch mine = branch;
          if (!refuseWaiting() && mine != null) {
            killer.kill(mine);
          }
        });
  }

  /** Refuses the statement that waits: its connection is given back when it comes. */
  private boolean refuseWaiting() {
    Start unsent = waiting;
    waiting = null;
    if (unsent == null) {
      return false;
    }
    unsent.call.refuse(AlraiException.interruption());
    return true;
  }

  /** Whether the session had locks on a connection that broke. */
  public boolean lost() {
    Branch mine = branch;
    return mine != null && !mine.alive();
  }

  /** The error for a client whose locks are lost. */
  public static AlraiException gone() {
    return new AlraiException(
        ErrorCode.ER_SERVER_SHUTDOWN,
        "The connection to the DN that kept this session's named locks broke, and they are gone:"
            + " connect again");
  }

  /** Releases all locks: the session begins anew. Never fails. */
  public CompletableFuture<Void> releaseAll() {
    held.clear();
    return giveBack();
  }

  /** Gives the connection back; a broken one has no locks. */
  private CompletableFuture<Void> giveBack() {
    Branch mine = branch;
    branch = null;
    if (mine == null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    mine.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("DO RELEASE_ALL_LOCKS()")),
        ReplyKind.RESULTS,
        new StatusSink(error -> {
          if (error == null) {
            mine.release();
          } else {
            mine.close();
          }
          done.complete(null);
        }));
    mine.flush();
    return done;
  }

  /** The session has ended. */
  public void abandon() {
    abandoned = true;
    refuseWaiting();
    Branch mine = branch;
    branch = null;
    if (mine != null) {
      mine.close();
    }
  }
}
