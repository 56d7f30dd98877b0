package io.alrai.microbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.cn.route.LearnedWeights;
import io.alrai.cn.route.Router;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.Collations;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.PartitionFunction.Method;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.Targets;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From a key in a text to the place of its row. */
@State(Scope.Thread)
public class RouteBench {
  private static final int PLACES = 16;
  private static final int TEXTS = 256;
  private static final KeyColumn ID =
      new KeyColumn("id", MysqlType.BIGINT, false, 20, 0, "", "", false);

  private final Router router =
      new Router(
          new LearnedWeights(sql -> List.of()), new Collations(List.of()), (sequence, id) -> false);
  private final Turns<SlotValues> values =
      Turns.of(TEXTS, random -> slots("SELECT c FROM t WHERE id=" + SbtestRow.id(random)));
  private final Targets byHash = targets(Method.HASH);
  private final Targets byKey = targets(Method.KEY);

  private static SlotValues slots(String text) {
    ShapeScanner scanner = new ShapeScanner();
    byte[] bytes = text.getBytes(UTF_8);
    scanner.scan(bytes, 0, bytes.length, LexicalMode.DEFAULT);
    return new TextSlotValues(scanner.snapshot(), ParameterSource.NONE);
  }

  private static Targets targets(Method method) {
    List<ShardPlace> places =
        IntStream.range(0, PLACES)
            .mapToObj(i ->
                new ShardPlace(i, new PhysicalSchema("a17_p%05d".formatted(i)), new DnId("dn-1")))
            .toList();
    PartitionFunction function = new PartitionFunction(method, List.of(ID), PLACES);
    return new Targets.Keys(function, places, List.of(List.of(0)));
  }

  /** A table PARTITION BY HASH. */
  @Benchmark
  public @Nullable ShardPlace hash() {
    return router.single(byHash, values.next());
  }

  /** A table PARTITION BY KEY. */
  @Benchmark
  public @Nullable ShardPlace key() {
    return router.single(byKey, values.next());
  }
}
