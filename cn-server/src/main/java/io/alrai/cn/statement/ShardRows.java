package io.alrai.cn.statement;

import io.alrai.cn.branch.ShardCall;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** The rows of one statement at one DN as they arrive. One virtual thread. */
public final class ShardRows implements RowSource {
  private final ShardCall call;
  private final UnaryOperator<String> logicalSchema;
  private final IntConsumer warnings;
  private List<ColumnDefinition> columns = List.of();
  private Row row = new Row(0);
  private boolean begun;
  private boolean ended;

  /**
   * Rows of a call that was started.
   *
   * @param logicalSchema from a physical schema's name to the logical one
   * @param warnings gets how many there were when all rows are read
   */
  public ShardRows(ShardCall call, UnaryOperator<String> logicalSchema, IntConsumer warnings) {
    this.call = call;
    this.logicalSchema = logicalSchema;
    this.warnings = warnings;
  }

  @Override
  public List<ColumnDefinition> columns() {
    if (!begun) {
      begun = true;
      columns =
          call.columns().stream()
              .map(c -> c.schema().isEmpty() ? c : c.withSchema(logicalSchema.apply(c.schema())))
              .toList();
      row = new Row(columns.size());
    }
    return columns;
  }

  @Override
  public boolean advance() {
    columns();
    if (ended) {
      return false;
    }
    byte[] payload = call.nextRow();
    if (payload == null) {
      ended = true;
      OkPacket status = call.status();
      warnings.accept(status.warnings());
      return false;
    }
    row.set(payload, 0, payload.length);
    return true;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    call.close();
  }
}
