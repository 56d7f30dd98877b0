package io.alrai.executor.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.fragment.WindowFrame;
import io.alrai.executor.fragment.WindowFunction;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static final ValueType TEXT = ValueType.string(7, TextCollation.UTF8MB4_0900_AI_CI, true);
  private static final ValueType NUMBER = ValueType.bigint(true);
  private static final ValueType DATE = ValueType.date(false);
  private final RecordCodec codec = new RecordCodec();

  private AnalyticPlan again(AnalyticPlan plan) {
    return codec.decode(codec.encode(plan), AnalyticPlan.class);
  }

  private static AnalyticPlan plan(PlanNode root, PlanNode... subqueries) {
    List<AnalyticPlan.OutputColumn> output = new ArrayList<>();
    for (int i = 0; i < root.columns().size(); i++) {
      output.add(new AnalyticPlan.OutputColumn("c\"" + i, MysqlType.VARCHAR));
    }
    return new AnalyticPlan(root, output, List.of(subqueries), 3);
  }

  private static List<Scalar> scalars() {
    Scalar number = new Scalar.Column(0, NUMBER);
    Scalar text = new Scalar.Column(1, TEXT);
    Scalar date = new Scalar.Column(2, DATE);
    List<Scalar> all = new ArrayList<>();
    for (Constant constant :
        List.of(
            new Constant.Null(),
            new Constant.Whole(Long.MIN_VALUE),
            new Constant.Exact(new BigDecimal("1.50")),
            new Constant.Exact(new BigDecimal("1E+3")),
            new Constant.Exact(new BigDecimal("-123456789012345678901234567890.0123456789")),
            new Constant.Floating(-0.0),
            new Constant.Floating(1e-300),
            new Constant.Text("\u0000 \" \\ \n é 😀"),
            new Constant.Day(-1),
            new Constant.Moment(Long.MAX_VALUE))) {
      all.add(new Scalar.Literal(constant, ValueType.decimal(40, 10, true)));
    }
    all.add(new Scalar.Parameter(5, NUMBER));
    all.add(new Scalar.SubqueryValue(0, NUMBER));
    all.add(Scalar.call(ScalarFunction.ADD, number, Scalar.whole(1)));
    all.add(
        Scalar.choose(
            List.of(new Scalar.Branch(Scalar.call(ScalarFunction.IS_NULL, text), number)),
            Optional.of(Scalar.whole(2))));
    all.add(Scalar.choose(List.of(new Scalar.Branch(number, number)), Optional.empty()));
    all.add(new Scalar.Cast(number, ValueType.floating(true)));
    all.add(Scalar.in(number, List.of(Scalar.whole(1), Scalar.nothing(NUMBER))));
    all.add(Scalar.like(text, Scalar.text("a%", TextCollation.UTF8MB4_0900_AI_CI)));
    all.add(Scalar.extract(DateUnit.YEAR, date));
    all.add(new Scalar.DateAdd(date, Scalar.whole(3), DateUnit.MONTH, DATE));
    all.add(Scalar.date(LocalDate.of(1998, 9, 2)));
    return all;
  }

  private static PlanNode scan() {
    return new PlanNode.ColumnScan(
        "s",
        "t",
        List.of("a", "b", "c"),
        List.of(NUMBER, TEXT, DATE),
        Optional.of(Scalar.call(ScalarFunction.IS_NOT_NULL, new Scalar.Column(0, NUMBER))),
        List.of(new PlanNode.BloomUse(1, List.of(0, 1))));
  }

  @Test
  void everyScalarComesBack() {
    AnalyticPlan plan = plan(new PlanNode.Project(scan(), scalars()));
    assertEquals(plan, again(plan));
  }

  @Test
  void everyNodeComesBack() {
    Scalar key = new Scalar.Column(0, NUMBER);
    List<PlanNode.SortKey> order = List.of(new PlanNode.SortKey(key, true));
    PlanNode values =
        new PlanNode.Values(List.of(List.of(Scalar.whole(1)), List.of()), List.of(NUMBER));
    PlanNode join =
        new PlanNode.HashJoin(
            PlanNode.JoinKind.LEFT,
            new PlanNode.Filter(scan(), key),
            values,
            List.of(key),
            List.of(key),
            Optional.empty(),
            OptionalInt.of(2));
    PlanNode cross =
        new PlanNode.HashJoin(
            PlanNode.JoinKind.INNER,
            join,
            scan(),
            List.of(),
            List.of(),
            Optional.of(key),
            OptionalInt.empty());
    PlanNode aggregate =
        new PlanNode.Aggregate(
            new PlanNode.Sort(cross, order),
            List.of(key),
            List.of(PlanNode.AggregateCall.of(AggregateFunction.COUNT, true, key)),
            true);
    PlanNode window =
        new PlanNode.Window(
            new PlanNode.TopN(aggregate, order, Scalar.whole(0), Scalar.whole(9)),
            List.of(key),
            order,
            List.of(
                new PlanNode.WindowCall(
                    WindowFunction.SUM, List.of(key), WindowFrame.RUNNING, NUMBER)));
    PlanNode limited = new PlanNode.Limit(window, Scalar.whole(0), Scalar.whole(5));
    PlanNode both =
        new PlanNode.SetOperation(
            PlanNode.SetKind.EXCEPT_ALL, List.of(limited, limited), limited.columns());
    AnalyticPlan plan =
        plan(new PlanNode.Exchange(both, PlanNode.ExchangeKind.HASH, List.of(key)), values);
    assertEquals(plan, again(plan));
  }

  @Test
  void whatIsNotKnownIsRefused() {
    byte[] bytes = codec.encode(plan(scan()));
    String text = new String(bytes, StandardCharsets.UTF_8);
    for (String other :
        List.of(
            text.replace("ColumnScan", "RowScan"),
            text.replace("\"schema\"", "\"scheme\""),
            text.substring(0, text.length() / 2))) {
      assertThrows(
          AlraiException.class,
          () -> codec.decode(other.getBytes(StandardCharsets.UTF_8), AnalyticPlan.class),
          other);
    }
  }
}
