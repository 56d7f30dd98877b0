package io.alrai.dn.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.server.raftlog.RaftLog;

/** Up to where a member has heard of committed entries, and those who wait for more. Any thread. */
final class CommittedIndex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private volatile long index = RaftLog.INVALID_LOG_INDEX;
  private volatile boolean ended;

  @GuardedBy("lock")
  private int waiting;

  long index() {
    return index;
  }

  void reached(long now) {
    lock.lock();
    try {
      index = now;
      if (waiting > 0) {
        moved.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nothing more comes. */
  void end() {
    lock.lock();
    try {
      ended = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean ended() {
    return ended;
  }

  /** Whether it has come so far, now or in time. */
  boolean await(long wanted, long millis) throws InterruptedException {
    if (index >= wanted) {
      return true;
    }
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      waiting++;
      try {
        while (index < wanted && !ended && left > 0) {
          left = moved.awaitNanos(left);
        }
        return index >= wanted;
      } finally {
        waiting--;
      }
    } finally {
      lock.unlock();
    }
  }
}
