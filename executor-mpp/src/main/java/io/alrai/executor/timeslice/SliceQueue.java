package io.alrai.executor.timeslice;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Tasks that wait for a slice. A query falls from level to level by the time that it has had; a
 * level gets twice the time of the one below it. Belongs to whoever holds the scheduler's lock.
 */
final class SliceQueue {
  private static final long[] LEVEL_NANOS = {
    0, 1_000_000_000L, SliceScheduler.SLOW_NANOS, 20_000_000_000L
  };

  /** A task, whose it is, and what to tell when it has ended. */
  record Entry(
      SliceScheduler.Task task, SliceScheduler.Account account, CompletableFuture<Void> end) {
    int level() {
      long had = account.nanos();
      int level = 0;
      while (level + 1 < LEVEL_NANOS.length && had >= LEVEL_NANOS[level + 1]) {
        level++;
      }
      return level;
    }
  }

  private final List<Deque<Entry>> levels = new ArrayList<>();
  private final long[] used = new long[LEVEL_NANOS.length];

  /** What the level had used whose turn came last. */
  private long reached;

  SliceQueue() {
    for (int i = 0; i < LEVEL_NANOS.length; i++) {
      levels.add(new ArrayDeque<>());
    }
  }

  boolean isEmpty() {
    return levels.stream().allMatch(Deque::isEmpty);
  }

  void add(Entry entry) {
    int level = entry.level();
    if (levels.get(level).isEmpty()) {
      used[level] = Math.max(used[level], nowReached());
    }
    levels.get(level).add(entry);
  }

  /** A query that was idle until now has no claim on the time that others had meanwhile. */
  private long nowReached() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < used.length; i++) {
      least = levels.get(i).isEmpty() ? least : Math.min(least, used[i]);
    }
    return least == Long.MAX_VALUE ? reached : Math.max(reached, least);
  }

  /** Whether there is one that does not wait for processor time to come. */
  boolean hurries() {
    return levels.stream().anyMatch(level -> level.stream().anyMatch(SliceQueue::hurries));
  }

  private static boolean hurries(Entry entry) {
    return entry.account().hurries();
  }

  /** The one that came first of those that hurry, or else the one whose turn it is. */
  Entry remove() {
    for (Deque<Entry> level : levels) {
      for (Iterator<Entry> each = level.iterator(); each.hasNext(); ) {
        Entry entry = each.next();
        if (hurries(entry)) {
          each.remove();
          return entry;
        }
      }
    }
    return next();
  }

  private Entry next() {
    int best = -1;
    for (int i = 0; i < used.length; i++) {
      if (!levels.get(i).isEmpty() && (best < 0 || used[i] < used[best])) {
        best = i;
      }
    }
    reached = Math.max(reached, used[best]);
    return levels.get(best).remove();
  }

  /** A task of a level has had so much. */
  void used(int level, long nanos) {
    used[level] += nanos << level;
  }

  /** Takes out all tasks of an account. */
  List<Entry> remove(SliceScheduler.Account account) {
    List<Entry> removed = new ArrayList<>();
    for (Deque<Entry> level : levels) {
      for (Iterator<Entry> each = level.iterator(); each.hasNext(); ) {
        Entry entry = each.next();
        if (entry.account() == account) {
          removed.add(entry);
          each.remove();
        }
      }
    }
    return removed;
  }

  /** Takes out all. */
  List<Entry> removeAll() {
    List<Entry> all = new ArrayList<>();
    levels.forEach(level -> {
      all.addAll(level);
      level.clear();
    });
    return all;
  }
}
