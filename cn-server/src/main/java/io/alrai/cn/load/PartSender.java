package io.alrai.cn.load;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.FileStatement;
import io.alrai.cn.shard.SessionShards;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends parts of a file to their DNs while the next ones are read: at one DN one after the other,
 * as all are of one transaction, with one more that waits. Whoever has another one waits, too,
 * which stops the client. After a failure nothing more is sent.
 */
public final class PartSender implements AutoCloseable {
  private static final int MOST_WAITING = 1;

  private final SessionShards shards;
  private final LoadOutcome outcome;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<DnId, ArrayDeque<FilePart>> queues = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private int working;
  private boolean complete;
  private @Nullable AlraiException failure;

  /** Sends over a session's shards, within its transaction. */
  public PartSender(SessionShards shards, LoadOutcome outcome) {
    this.shards = shards;
    this.outcome = outcome;
  }

  /**
   * Hands a part over, when there is room for it.
   *
   * @throws AlraiException what an earlier part failed with
   */
  public void send(FilePart part) {
    lock.lock();
    try {
      ArrayDeque<FilePart> queue = queues.computeIfAbsent(part.dn(), this::begin);
      while (failure == null && queue.size() >= MOST_WAITING) {
        await();
      }
      throwFailure();
      queue.add(part);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private ArrayDeque<FilePart> begin(DnId dn) {
    ArrayDeque<FilePart> queue = new ArrayDeque<>();
    working++;
    threads.add(Thread.ofVirtual().name("load-" + dn).start(() -> work(queue)));
    return queue;
  }

  /**
   * Waits for all that was handed over.
   *
   * @throws AlraiException what a part failed with
   */
  public void finish() {
    lock.lock();
    try {
      complete = true;
      changed.signalAll();
      while (working > 0) {
        await();
      }
      throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private void await() {
    try {
      changed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  private void throwFailure() {
    AlraiException reason = failure;
    if (reason != null) {
      throw reason;
    }
  }

  /** Ends what is not finished: afterwards nothing is at work. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (working > 0) {
        fail(AlraiException.interruption());
        threads.forEach(Thread::interrupt);
      }
      while (working > 0) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void work(ArrayDeque<FilePart> queue) {
    try {
      FilePart part;
      while ((part = next(queue)) != null) {
        send(part, outcome);
      }
    } catch (AlraiException e) {
      fail(e);
    } catch (OutOfMemoryError e) {
      fail(
          new AlraiException(
              ErrorCode.ER_OUT_OF_RESOURCES, "Out of memory: the CN has no room for the file", e));
    } catch (RuntimeException e) {
      fail(new AlraiException(ErrorCode.ALRAI_INTERNAL, "internal error: " + e, e));
    } finally {
      lock.lock();
      try {
        working--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private @Nullable FilePart next(ArrayDeque<FilePart> queue) {
    lock.lock();
    try {
      while (queue.isEmpty() && !complete && failure == null) {
        await();
      }
      FilePart next = failure == null ? queue.poll() : null;
      changed.signalAll();
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void send(FilePart part, LoadOutcome into) {
    FileStatement.Started started =
        FileStatement.start(shards, part.dn(), part.text(), part::packets);
    OkPacket ok;
    try (ShardCall call = started.call()) {
      ok = call.update();
    } catch (AlraiException e) {
      throw inFile(part, e);
    }
    // its warnings are there when the call is closed
    if (!part.copy()) {
      into.add(part, ok, started.warnings());
    }
  }

  private static AlraiException inFile(FilePart part, AlraiException error) {
    String sentence = LoadOutcome.inFile(part, error.sentence());
    if (sentence.equals(error.sentence())) {
      return error;
    }
    AlraiException numbered = AlraiException.fromServer(error.errno(), error.sqlState(), sentence);
    numbered.initCause(error);
    return numbered;
  }

  /** A lost transaction is reported before an error that only undoes the statement. */
  private void fail(AlraiException reason) {
    lock.lock();
    try {
      AlraiException before = failure;
      if (before == null
          || BranchControl.losesTransaction(reason) && !BranchControl.losesTransaction(before)) {
        failure = reason;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
