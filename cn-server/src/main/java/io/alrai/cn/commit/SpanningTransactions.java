package io.alrai.cn.commit;

import io.alrai.common.id.ClientXid;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.Branch;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A CN's open transactions with branches on several DNs: those whose deadlocks no mysqld sees.
 * Thread-safe; what blocks says so.
 */
public final class SpanningTransactions {
  /** A transaction that may wait for locks; its methods are called on its event loop only. */
  public interface Waiting {
    /** How many statements it has had. */
    long statements();

    /** Its branches with a statement at work. */
    List<Branch> busy();

    /** What it waits for fails as a deadlock's victim from now on. */
    void chooseVictim();
  }

  private static final class Watched {
    private final Waiting transaction;
    private final EventLoop loop;

    /** On its event loop only. */
    private long seen = -1;

    Watched(Waiting transaction, EventLoop loop) {
      this.transaction = transaction;
      this.loop = loop;
    }

    boolean stuck() {
      boolean same = seen == transaction.statements();
      seen = transaction.statements();
      return same && !transaction.busy().isEmpty();
    }
  }

  private final Map<TransactionId, Watched> open = new ConcurrentHashMap<>();
  private final Set<ClientXid> xids = ConcurrentHashMap.newKeySet();
  private final Set<CompletableFuture<Void>> finishing = ConcurrentHashMap.newKeySet();

  public void enter(TransactionId id, Waiting transaction, EventLoop loop) {
    open.put(id, new Watched(transaction, loop));
  }

  public void leave(TransactionId id) {
    open.remove(id);
  }

  /** Claims a client's XID for a session, unless another one has it. */
  public boolean claim(ClientXid xid) {
    return xids.add(xid);
  }

  /** The transaction of this XID is prepared, or has ended. */
  public void letGo(ClientXid xid) {
    xids.remove(xid);
  }

  /** A transaction is committed, but its locks are not gone before this completes. */
  void finishing(CompletableFuture<Void> finished) {
    if (!finished.isDone()) {
      finishing.add(finished);
      finished.whenComplete((done, error) -> finishing.remove(finished));
    }
  }

  /**
   * Continues at once; or, for a statement that depends on it, when what this CN has acknowledged
   * is visible and has left no locks. The wait is bounded.
   */
  public void behindCommits(boolean minds, EventLoop loop, Runnable next) {
    if (!minds || finishing.isEmpty()) {
      next.run();
    } else {
      CompletableFuture.allOf(finishing.toArray(CompletableFuture[]::new))
          .whenCompleteAsync((done, error) -> next.run(), loop);
    }
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return open.isEmpty();
  }

  /**
   * The transactions that wait in the same statement as at the last call. Blocking: asks the event
   * loops.
   */
  public Set<TransactionId> stuck() {
    Map<EventLoop, Map<TransactionId, Watched>> byLoop = new HashMap<>();
    open.forEach((id, watched) ->
        byLoop.computeIfAbsent(watched.loop, loop -> new HashMap<>()).put(id, watched));
    List<CompletableFuture<Set<TransactionId>>> asked = new ArrayList<>();
    byLoop.forEach(
        (loop, mine) -> asked.add(CompletableFuture.supplyAsync(() -> stuckOf(mine), loop)));
    Set<TransactionId> stuck = new HashSet<>();
    asked.forEach(answer -> stuck.addAll(answer.join()));
    return stuck;
  }

  private static Set<TransactionId> stuckOf(Map<TransactionId, Watched> watched) {
    Set<TransactionId> stuck = new HashSet<>();
    watched.forEach((id, one) -> {
      if (one.stuck()) {
        stuck.add(id);
      }
    });
    return stuck;
  }

  /**
   * Chooses one as a deadlock's victim: what it waits for is to be interrupted, and fails with
   * error 1213. Blocking.
   *
   * @return its branches at work, held: the caller interrupts and then resumes each; none when it
   *     is not this CN's or waits no longer
   */
  public List<Branch> chooseVictim(TransactionId id) {
    Watched watched = open.get(id);
    if (watched == null) {
      return List.of();
    }
    return CompletableFuture.supplyAsync(() -> victim(id, watched), watched.loop).join();
  }

  private List<Branch> victim(TransactionId id, Watched watched) {
    if (!open.containsKey(id)) {
      return List.of();
    }
    List<Branch> busy = watched.transaction.busy();
    if (!busy.isEmpty()) {
      watched.transaction.chooseVictim();
      busy.forEach(Branch::hold);
    }
    return busy;
  }
}
