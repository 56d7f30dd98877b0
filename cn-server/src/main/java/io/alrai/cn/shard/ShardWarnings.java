package io.alrai.cn.shard;

import io.alrai.cn.settings.Diagnostics.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/** The warnings of what a session has started on shards, in that order. Thread-safe. */
final class ShardWarnings {
  private final Queue<Told> warnings = new ConcurrentLinkedQueue<>();

  /** The warnings of one statement, and how they are worded for the client. */
  private record Told(Queue<Condition> conditions, UnaryOperator<Condition> words) {}

  ShardWarnings() {}

  /** A statement begins that collects its warnings there. */
  void add(Queue<Condition> conditions, UnaryOperator<Condition> words) {
    warnings.add(new Told(conditions, words));
  }

  /** Drops those of a statement. */
  void forget(Queue<Condition> conditions) {
    warnings.removeIf(told -> told.conditions() == conditions);
  }

  /** Those since the last call. */
  List<Condition> take() {
    List<Condition> taken = new ArrayList<>();
    Told next;
    while ((next = warnings.poll()) != null) {
      next.conditions.stream().map(next.words).forEach(taken::add);
    }
    return taken;
  }
}
