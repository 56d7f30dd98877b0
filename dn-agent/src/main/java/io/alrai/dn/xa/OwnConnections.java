package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.DnLink;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's own few connections to its mysqld. They are taken from the link's pool once and kept,
 * so that commits go on while sessions hold all others. None of them is ever inside a transaction
 * longer than one text of statements. Thread-safe.
 */
final class OwnConnections implements AutoCloseable {
  /** Enough for mysqld to group commits, few enough not to be noticed. */
  private static final int MOST = 8;

  /** Short waits for a row of tx_log that somebody decides about just now. */
  private static final Sql SETTINGS =
      Sql.of(
          "SET SESSION transaction_isolation='READ-COMMITTED', innodb_lock_wait_timeout=1,"
              + " autocommit=1, completion_type='NO_CHAIN', time_zone='+00:00'");

  /** The login says so, too: a reset goes back to the global value. */
  private static final Sql KEEPING_PREPARED = SETTINGS.words(", xa_detach_on_prepare=OFF");

  private final DnLink link;
  private final List<Slot> slots = new ArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean closed;

  OwnConnections(DnLink link, List<EventLoop> loops) {
    this.link = link;
    for (int i = 0; i < MOST; i++) {
      slots.add(new Slot(loops.get(i % loops.size())));
    }
  }

  /** How often a connection was opened: it grows when the mysqld was away. */
  int opened() {
    return opened.get();
  }

  /**
   * Runs statements, separated by semicolons, on the least busy connection; the first that fails
   * ends the text. Waits as long as the pool does for a mysqld that is down. Completes with {@link
   * Answer.Failed} if it fails.
   */
  CompletableFuture<Answer> run(Sql sql) {
    Slot slot = leastBusy();
    slot.busy.incrementAndGet();
    CompletableFuture<Answer> done = new CompletableFuture<>();
    done.whenComplete((answer, error) -> slot.busy.decrementAndGet());
    if (slot.loop.inEventLoop()) {
      slot.run(sql, done);
    } else {
      try {
        slot.loop.execute(() -> slot.run(sql, done));
      } catch (RejectedExecutionException stopping) {
        done.completeExceptionally(new Answer.Failed(stopping(), 0, false));
      }
    }
    return done;
  }

  private static AlraiException stopping() {
    return new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping");
  }

  private Slot leastBusy() {
    Slot best = slots.get(0);
    int bestCost = Integer.MAX_VALUE;
    for (Slot slot : slots) {
      int cost = slot.busy.get() * 4 + (slot.loop.inEventLoop() ? 0 : 1) + (slot.open ? 0 : 2);
      if (cost < bestCost) {
        best = slot;
        bestCost = cost;
      }
    }
    return best;
  }

  @Override
  public void close() {
    closed = true;
    for (Slot slot : slots) {
      slot.loop.execute(slot::close);
    }
  }

  private record Waiting(Sql sql, CompletableFuture<Answer> done) {}

  /** One connection and those who wait for it to open; its fields belong to its loop. */
  private final class Slot implements BranchTaker {
    private final EventLoop loop;
    private final AtomicInteger busy = new AtomicInteger();
    private final List<Waiting> waiting = new ArrayList<>();
    private @Nullable Branch branch;
    private volatile boolean open;
    private boolean opening;

    Slot(EventLoop loop) {
      this.loop = loop;
    }

    void run(Sql sql, CompletableFuture<Answer> done) {
      Branch usable = branch;
      if (usable != null && usable.alive()) {
        Answer.of(usable, sql).whenComplete(into(done));
        return;
      }
      waiting.add(new Waiting(sql, done));
      if (closed) {
        refused(stopping());
      } else if (!opening) {
        opening = true;
        open = false;
        link.take(loop, BackendAccount.AGENT, "", this);
      }
    }

    private static BiConsumer<Answer, Throwable> into(CompletableFuture<Answer> done) {
      return (answer, error) -> {
        if (error == null) {
          done.complete(answer);
        } else {
          done.completeExceptionally(error);
        }
      };
    }

    @Override
    public void taken(Branch taken) {
      opening = false;
      if (closed) {
        taken.close();
        refused(stopping());
        return;
      }
      branch = taken;
      open = true;
      opened.incrementAndGet();
      taken.state().reset();
      CompletableFuture<Answer> ready = new CompletableFuture<>();
      CompletableFuture<Answer> reset = new CompletableFuture<>();
      Answer.send(taken, Command.RESET_CONNECTION, Sql.EMPTY, ReplyKind.STATUS, reset);
      Sql settings = taken.keepsPrepared() ? KEEPING_PREPARED : SETTINGS;
      Answer.send(taken, Command.QUERY, settings, ReplyKind.RESULTS, ready);
      reset
          .thenCombine(ready, (a, b) -> b)
          .whenComplete((answer, error) -> {
            if (error != null) {
              taken.close();
            }
          });
      for (Waiting next : drain()) {
        Answer.of(taken, next.sql).whenComplete(into(next.done));
      }
      taken.flush();
    }

    @Override
    public void refused(AlraiException reason) {
      opening = false;
      for (Waiting next : drain()) {
        next.done.completeExceptionally(new Answer.Failed(reason, 0, false));
      }
    }

    private List<Waiting> drain() {
      List<Waiting> all = List.copyOf(waiting);
      waiting.clear();
      return all;
    }

    void close() {
      Branch last = branch;
      if (last != null) {
        last.close();
      }
      refused(stopping());
    }
  }
}
