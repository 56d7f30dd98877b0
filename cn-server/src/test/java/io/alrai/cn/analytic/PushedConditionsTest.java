package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PushedConditionsTest {
  private static final List<String> NAMES = List.of("a", "d`d", "s", "t", "f");
  private static final TextCollation COLLATION = TextCollation.UTF8MB4_0900_AI_CI;
  private static final Scalar A = new Scalar.Column(0, ValueType.bigint(true));
  private static final Scalar D = new Scalar.Column(1, ValueType.date(true));
  private static final Scalar S = new Scalar.Column(2, ValueType.string(10, COLLATION, true));
  private static final Scalar T = new Scalar.Column(3, ValueType.datetime(6, true));
  private static final Scalar F = new Scalar.Column(4, ValueType.floating(true));

  /** Nothing can be said of it. */
  private static final Scalar OPAQUE =
      Scalar.call(ScalarFunction.EQUAL, Scalar.call(ScalarFunction.ABS, A), Scalar.whole(1));

  private static String sql(Scalar condition) {
    return PushedConditions.of(condition, NAMES).orElse("nothing");
  }

  @Test
  void comparisonsWithValues() {
    assertEquals("`a`>=-5", sql(Scalar.call(ScalarFunction.GREATER_EQUAL, A, Scalar.whole(-5))));
    assertEquals("1.50<`a`", sql(Scalar.call(ScalarFunction.LESS, Scalar.exact("1.50"), A)));
    assertEquals(
        "`d``d`<>DATE'2024-02-29'",
        sql(Scalar.call(ScalarFunction.NOT_EQUAL, D, Scalar.date(LocalDate.of(2024, 2, 29)))));
    Scalar moment =
        new Scalar.Literal(new Constant.Moment(86_400_000_001L), ValueType.datetime(6, false));
    assertEquals(
        "`t`=TIMESTAMP'1970-01-02 00:00:00.000001'",
        sql(Scalar.call(ScalarFunction.EQUAL, T, moment)));
    assertEquals(
        "`s`=_utf8mb4 X'6127'",
        sql(Scalar.call(ScalarFunction.EQUAL, S, Scalar.text("a'", COLLATION))));
    assertEquals("`a` IN (1,2)", sql(Scalar.in(A, List.of(Scalar.whole(1), Scalar.whole(2)))));
    assertEquals("`s` IS NULL", sql(Scalar.call(ScalarFunction.IS_NULL, S)));
  }

  @Test
  void whatIsNotPushedLeavesMoreRowsNeverFewer() {
    Scalar known = Scalar.call(ScalarFunction.EQUAL, A, Scalar.whole(1));
    assertEquals("(`a`=1)", sql(Scalar.call(ScalarFunction.AND, known, OPAQUE)));
    assertEquals("nothing", sql(Scalar.call(ScalarFunction.OR, known, OPAQUE)));
    assertEquals("(`a`=1) OR (`a`=1)", sql(Scalar.call(ScalarFunction.OR, known, known)));
    assertEquals("nothing", sql(Scalar.call(ScalarFunction.NOT, known)));
    assertEquals("nothing", sql(Scalar.call(ScalarFunction.LESS, F, Scalar.whole(1))));
    assertEquals("nothing", sql(Scalar.call(ScalarFunction.EQUAL, S, Scalar.text("é", COLLATION))));
    assertEquals("nothing", sql(Scalar.call(ScalarFunction.EQUAL, A, Scalar.nothing(A.type()))));
    Scalar parameter = new Scalar.Parameter(0, ValueType.bigint(true));
    assertEquals("nothing", sql(Scalar.call(ScalarFunction.EQUAL, A, parameter)));
    assertEquals(Optional.empty(), PushedConditions.of(OPAQUE, NAMES));
  }
}
