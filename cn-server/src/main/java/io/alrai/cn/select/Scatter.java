package io.alrai.cn.select;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.ShardRows;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.RowSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One SELECT at work on several DNs at once, asked from the event loop. Whoever finishes it reads
 * the rows of all.
 */
public final class Scatter {
  private final LogicalNames names;
  private final List<ColumnDefinition> columns;
  private final List<ShardCall> calls = new ArrayList<>();
  private final int[] warnings = new int[1];

  /** How many have not answered, plus one until all have been sent. */
  private int unanswered;

  private boolean answered;
  private @Nullable AlraiException failure;
  private Runnable onAnswers = () -> {};

  /** {@code columns} are the result's for the client. */
  Scatter(LogicalNames names, List<ColumnDefinition> columns) {
    this.names = names;
    this.columns = List.copyOf(columns);
  }

  /**
   * Asks every DN, at one snapshot; once, on the event loop.
   *
   * @param statements for each DN
   * @param locking whether it locks rows, and so reads current ones
   */
  void ask(SessionShards shards, Map<DnId, ShardStatement> statements, boolean locking) {
    unanswered = statements.size() + 1;
    shards
        .startAll(statements, RowAccess.ofSelect(locking), this::answered)
        .whenComplete((started, error) -> {
          if (error != null) {
            failure = AlraiException.causeOf(error);
            end();
          } else {
            calls.addAll(started);
            answered();
          }
        });
  }

  private void answered() {
    unanswered--;
    if (unanswered == 0) {
      end();
    }
  }

  private void end() {
    answered = true;
    onAnswers.run();
  }

  /** Runs an action when every DN has answered; event loop, after {@link #ask}. */
  public void whenAnswered(Runnable action) {
    if (answered) {
      action.run();
    } else {
      onAnswers = action;
    }
  }

  /** Whether all answers are there, and none is an error; event loop. */
  public boolean isShort() {
    return failure == null && calls.stream().allMatch(ShardCall::succeeded);
  }

  /**
   * The rows of each DN; once, when it is answered.
   *
   * @throws AlraiException why no DN was asked
   */
  List<RowSource> sources() {
    AlraiException reason = failure;
    if (reason != null) {
      throw reason;
    }
    List<RowSource> sources = new ArrayList<>();
    for (ShardCall call : calls) {
      sources.add(new ShardRows(call, names::schema, count -> warnings[0] += count));
    }
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
