package io.alrai.microbench;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.Merger;
import io.alrai.executor.operator.OperatorBudget;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Makes one result of the rows of several shards. */
@State(Scope.Thread)
public class MergeBench {
  private static final int RESULTS = 8;
  private static final int SHARDS = 4;
  private static final int ROWS = 1_000;
  private static final List<ColumnDefinition> COLUMNS =
      List.of(
          ColumnDefinition.expression(
              "id", MysqlType.INT, ColumnDefinition.BINARY_CHARSET, 11, ColumnDefinition.BINARY, 0),
          ColumnDefinition.expression("c", MysqlType.CHAR, 255, 480, 0, 0));

  private final Merger merger = new Merger(OperatorBudget.standard());
  private final MergePlan plan =
      new MergePlan(
          SqlTemplate.EMPTY,
          SqlTemplate.EMPTY,
          COLUMNS.size(),
          COLUMNS.size(),
          List.of(new SortKey(new RowKey(0, -1), false)),
          Optional.empty(),
          List.of(),
          Optional.empty());
  private final SlotValues noSlots =
      new TextSlotValues(new ShapeScanner().snapshot(), ParameterSource.NONE);
  private final Turns<List<List<byte[]>>> results =
      Turns.of(
          RESULTS, random -> IntStream.range(0, SHARDS).mapToObj(shard -> sorted(random)).toList());

  private static List<byte[]> sorted(Random random) {
    return IntStream.generate(() -> SbtestRow.id(random))
        .limit(ROWS)
        .sorted()
        .mapToObj(id -> {
          ByteBuf row = Unpooled.buffer();
          SbtestRow.write(row, id, random);
          byte[] bytes = new byte[row.readableBytes()];
          row.readBytes(bytes);
          return bytes;
        })
        .toList();
  }

  /** Four sources that are sorted by a number; the figure is that of one row. */
  @Benchmark
  @OperationsPerInvocation(SHARDS * ROWS)
  public long sorted() {
    List<RowSource> shards =
        results.next().stream().<RowSource>map(rows -> new ShardResult(COLUMNS, rows)).toList();
    long bytes = 0;
    try (RowSource rows = merger.merge(plan, noSlots, shards)) {
      while (rows.advance()) {
        Row row = rows.row();
        bytes += row.end() - row.start();
      }
    }
    return bytes;
  }
}
