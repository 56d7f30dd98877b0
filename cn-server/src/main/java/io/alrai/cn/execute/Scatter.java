package io.alrai.cn.execute;

import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardCall;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.RowSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One SELECT at work on several DNs at once, asked from the event loop. The rows of all are read by
 * whoever finishes it.
 */
final class Scatter {
  private final LogicalNames names;
  private final List<ColumnDefinition> columns;
  private final List<ShardCall> calls = new ArrayList<>();
  private final List<RowSource> sources = new ArrayList<>();
  private final int[] warnings = new int[1];
  private int unanswered;
  private Runnable onAnswers = () -> {};

  /** {@code columns} are the result's for the client. */
  Scatter(LogicalNames names, List<ColumnDefinition> columns) {
    this.names = names;
    this.columns = List.copyOf(columns);
  }

  /** Starts a statement on a DN; event loop. */
  void ask(SessionShards shards, DnId dn, byte[] sql, boolean write) {
    unanswered++;
    ShardCall call = shards.startOnLoop(dn, "", sql, write, this::answered);
    calls.add(call);
    sources.add(new ShardRows(call, names::schema, count -> warnings[0] += count));
  }

  private void answered() {
    unanswered--;
    if (unanswered == 0) {
      onAnswers.run();
    }
  }

  /** Runs an action when every DN has answered; event loop, behind the last {@link #ask}. */
  void whenAnswered(Runnable action) {
    if (unanswered == 0) {
      action.run();
    } else {
      onAnswers = action;
    }
  }

  /** Whether all answers are there, and none is an error; event loop. */
  boolean isShort() {
    return calls.stream().allMatch(ShardCall::succeeded);
  }

  List<RowSource> sources() {
    return sources;
  }

  /** The result's columns for the client. */
  List<ColumnDefinition> columns() {
    return columns;
  }

  /** Its only element counts up while the sources are read. */
  int[] warnings() {
    return warnings;
  }
}
