package io.alrai.executor.task;

import static io.alrai.executor.fragment.ScalarFunction.ABS;
import static io.alrai.executor.fragment.ScalarFunction.ADD;
import static io.alrai.executor.fragment.ScalarFunction.AND;
import static io.alrai.executor.fragment.ScalarFunction.CEILING;
import static io.alrai.executor.fragment.ScalarFunction.CHAR_LENGTH;
import static io.alrai.executor.fragment.ScalarFunction.COALESCE;
import static io.alrai.executor.fragment.ScalarFunction.DATEDIFF;
import static io.alrai.executor.fragment.ScalarFunction.DIVIDE;
import static io.alrai.executor.fragment.ScalarFunction.EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.FLOOR;
import static io.alrai.executor.fragment.ScalarFunction.GREATER;
import static io.alrai.executor.fragment.ScalarFunction.INTEGER_DIVIDE;
import static io.alrai.executor.fragment.ScalarFunction.IS_NULL;
import static io.alrai.executor.fragment.ScalarFunction.IS_TRUE;
import static io.alrai.executor.fragment.ScalarFunction.LESS;
import static io.alrai.executor.fragment.ScalarFunction.LESS_EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.MODULO;
import static io.alrai.executor.fragment.ScalarFunction.MULTIPLY;
import static io.alrai.executor.fragment.ScalarFunction.NEGATE;
import static io.alrai.executor.fragment.ScalarFunction.NOT;
import static io.alrai.executor.fragment.ScalarFunction.NOT_EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.NULL_SAFE_EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.OR;
import static io.alrai.executor.fragment.ScalarFunction.RIGHT;
import static io.alrai.executor.fragment.ScalarFunction.ROUND;
import static io.alrai.executor.fragment.ScalarFunction.SUBSTRING;
import static io.alrai.executor.fragment.ScalarFunction.SUBTRACT;
import static io.alrai.executor.fragment.ScalarFunction.TRIM;
import static io.alrai.executor.fragment.ScalarFunction.XOR;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Expressions over random rows, NULLs among them, against plain Java. */
class ExpressionsSim {
  private static final int ROWS = 1_500;
  private static final int BATCH = 200;

  /** One row; null where the column is NULL. */
  private record Row(
      Long a, Long b, BigDecimal p, BigDecimal w, Double d, String s, String t, Long day) {
    Object[] cells() {
      return new Object[] {a, b, p, w, d, s, t, day};
    }
  }

  private final Random random = new Random(seed());
  private final Map<Scalar, Function<Row, Object>> cases = new LinkedHashMap<>();

  private static long seed() {
    long seed = Long.getLong("expressions.seed", System.nanoTime());
    System.out.println("expressions.seed " + seed);
    return seed;
  }

  private <T> T orNull(T value) {
    return random.nextInt(8) == 0 ? null : value;
  }

  private Row row() {
    String[] words = {"red", "Red", "green apple", "Greenland", "", "x_y", "10%", " pad "};
    return new Row(
        orNull((long) random.nextInt(40) - 20),
        orNull(random.nextLong(3_000_000_000L)),
        orNull(BigDecimal.valueOf(random.nextInt(2_000_000) - 1_000_000, 2)),
        orNull(
            new BigDecimal(new java.math.BigInteger(80, random), 4)
                .multiply(BigDecimal.valueOf(random.nextBoolean() ? 1 : -1))),
        orNull(random.nextInt(2_000) / 8.0 - 100),
        orNull(words[random.nextInt(words.length)]),
        orNull("v" + random.nextInt(1_000) + words[random.nextInt(words.length)]),
        orNull((long) random.nextInt(30_000) - 5_000));
  }

  private void check(Scalar scalar, Function<Row, Object> expected) {
    cases.put(scalar, expected);
  }

  private static Long truth(Boolean value) {
    return value == null ? null : value ? 1L : 0L;
  }

  private static <A, B, C> C both(A a, B b, java.util.function.BiFunction<A, B, C> f) {
    return a == null || b == null ? null : f.apply(a, b);
  }

  private static <A, C> C one(A a, Function<A, C> f) {
    return a == null ? null : f.apply(a);
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return a == null || b == null ? null : true;
  }

  private static Boolean not(Boolean a) {
    return a == null ? null : !a;
  }

  private static Boolean or(Boolean a, Boolean b) {
    return not(and(not(a), not(b)));
  }

  private static BigDecimal big(Long value) {
    return BigDecimal.valueOf(value);
  }

  private void numbers(Scalar a, Scalar b, Scalar p, Scalar w, Scalar d) {
    check(Scalar.call(ADD, a, b), r -> both(r.a, r.b, Long::sum));
    check(Scalar.call(MULTIPLY, a, b), r -> both(r.a, r.b, (x, y) -> x * y));
    check(Scalar.call(SUBTRACT, p, a), r -> both(r.p, r.a, (x, y) -> x.subtract(big(y))));
    check(Scalar.call(ADD, w, p), r -> both(r.w, r.p, BigDecimal::add));
    check(
        Scalar.call(SUBTRACT, Scalar.exact("0.00001"), w),
        r -> one(r.w, x -> new BigDecimal("0.00001").subtract(x)));
    check(
        Scalar.call(MULTIPLY, Scalar.call(MULTIPLY, p, p), p),
        r -> one(r.p, x -> x.multiply(x).multiply(x)));
    check(Scalar.call(MULTIPLY, w, a), r -> both(r.w, r.a, (x, y) -> x.multiply(big(y))));
    check(
        Scalar.call(DIVIDE, p, a),
        r -> both(r.p, r.a, (x, y) -> y == 0 ? null : x.divide(big(y), 6, RoundingMode.HALF_UP)));
    check(
        Scalar.call(DIVIDE, a, p),
        r ->
            both(
                r.a,
                r.p,
                (x, y) -> y.signum() == 0 ? null : big(x).divide(y, 4, RoundingMode.HALF_UP)));
    check(
        Scalar.call(MULTIPLY, Scalar.call(DIVIDE, a, Scalar.whole(3)), Scalar.whole(3)),
        r -> one(r.a, x -> big(x).divide(big(3L), 4, RoundingMode.HALF_UP).multiply(big(3L))));
    check(Scalar.call(INTEGER_DIVIDE, b, a), r -> both(r.b, r.a, (x, y) -> y == 0 ? null : x / y));
    check(Scalar.call(MODULO, b, a), r -> both(r.b, r.a, (x, y) -> y == 0 ? null : x % y));
    check(
        Scalar.call(MODULO, w, p),
        r -> both(r.w, r.p, (x, y) -> y.signum() == 0 ? null : x.remainder(y).setScale(4)));
    check(Scalar.call(NEGATE, w), r -> one(r.w, BigDecimal::negate));
    check(Scalar.call(ABS, p), r -> one(r.p, BigDecimal::abs));
    check(Scalar.call(ABS, d), r -> one(r.d, Math::abs));
    check(
        Scalar.call(FLOOR, p),
        r -> one(r.p, x -> x.setScale(0, RoundingMode.FLOOR).longValueExact()));
    check(Scalar.call(CEILING, w), r -> one(r.w, x -> x.setScale(0, RoundingMode.CEILING)));
    check(
        Scalar.call(ROUND, w, Scalar.whole(1)),
        r -> one(r.w, x -> x.setScale(1, RoundingMode.HALF_UP).setScale(4)));
    check(
        new Scalar.Cast(p, ValueType.decimal(9, 1, true)),
        r -> one(r.p, x -> x.setScale(1, RoundingMode.HALF_UP)));
    check(
        new Scalar.Cast(p, ValueType.bigint(true)),
        r -> one(r.p, x -> x.setScale(0, RoundingMode.HALF_UP).longValueExact()));
    check(Scalar.call(MULTIPLY, d, p), r -> both(r.d, r.p, (x, y) -> x * y.doubleValue()));
    check(Scalar.call(DIVIDE, d, a), r -> both(r.d, r.a, (x, y) -> y == 0 ? null : x / y));
  }

  private void conditions(Scalar a, Scalar b, Scalar p, Scalar w, Scalar d) {
    check(Scalar.call(LESS, p, a), r -> truth(both(r.p, r.a, (x, y) -> x.compareTo(big(y)) < 0)));
    check(Scalar.call(EQUAL, w, p), r -> truth(both(r.w, r.p, (x, y) -> x.compareTo(y) == 0)));
    check(
        Scalar.call(LESS_EQUAL, d, p), r -> truth(both(r.d, r.p, (x, y) -> x <= y.doubleValue())));
    check(
        Scalar.call(NULL_SAFE_EQUAL, a, Scalar.call(NEGATE, a)),
        r -> truth(r.a == null || r.a == 0));
    Scalar small = Scalar.call(LESS, a, Scalar.whole(5));
    Scalar cheap = Scalar.call(GREATER, p, Scalar.exact("10.5"));
    Function<Row, Boolean> isSmall = r -> one(r.a, x -> x < 5);
    Function<Row, Boolean> isCheap = r -> one(r.p, x -> x.compareTo(new BigDecimal("10.5")) > 0);
    check(Scalar.call(AND, small, cheap), r -> truth(and(isSmall.apply(r), isCheap.apply(r))));
    check(Scalar.call(OR, small, cheap), r -> truth(or(isSmall.apply(r), isCheap.apply(r))));
    check(
        Scalar.call(NOT, Scalar.call(OR, small, Scalar.call(NOT, cheap))),
        r -> truth(not(or(isSmall.apply(r), not(isCheap.apply(r))))));
    check(
        Scalar.call(XOR, small, cheap),
        r -> truth(both(isSmall.apply(r), isCheap.apply(r), (x, y) -> x ^ y)));
    check(
        Scalar.call(IS_TRUE, Scalar.call(AND, small, cheap)),
        r -> truth(Boolean.TRUE.equals(and(isSmall.apply(r), isCheap.apply(r)))));
    check(Scalar.call(IS_NULL, Scalar.call(ADD, a, b)), r -> truth(r.a == null || r.b == null));
    Scalar nothing = Scalar.nothing(ValueType.bigint(true));
    check(
        Scalar.in(a, List.of(Scalar.whole(3), nothing, Scalar.whole(-7))),
        r -> one(r.a, x -> x == 3 || x == -7 ? (Long) 1L : null));
    check(
        Scalar.call(NOT, Scalar.in(a, List.of(Scalar.whole(3), Scalar.whole(4)))),
        r -> one(r.a, x -> x == 3 || x == 4 ? 0L : 1L));
    check(
        Scalar.choose(
            List.of(
                new Scalar.Branch(small, p),
                new Scalar.Branch(cheap, Scalar.call(MULTIPLY, w, Scalar.exact("0.5")))),
            Optional.of(a)),
        r -> {
          if (Boolean.TRUE.equals(isSmall.apply(r))) {
            return one(r.p, x -> x.setScale(5));
          }
          return Boolean.TRUE.equals(isCheap.apply(r))
              ? one(r.w, x -> x.multiply(new BigDecimal("0.5")))
              : one(r.a, x -> big(x).setScale(5));
        });
    check(
        Scalar.call(COALESCE, a, b, Scalar.whole(9)),
        r -> r.a != null ? r.a : r.b != null ? r.b : (Long) 9L);
  }

  private void texts(Scalar s, Scalar t) {
    TextCollation collation = TextCollation.UTF8MB4_0900_AI_CI;
    Scalar red = Scalar.text("RED", collation);
    check(Scalar.call(EQUAL, s, red), r -> truth(one(r.s, "red"::equalsIgnoreCase)));
    check(Scalar.call(NOT_EQUAL, s, red), r -> truth(one(r.s, x -> !"red".equalsIgnoreCase(x))));
    check(
        Scalar.call(LESS, s, t),
        r -> truth(both(r.s, r.t, (x, y) -> lower(x).replace(' ', '\t').compareTo(lower(y)) < 0)));
    check(
        Scalar.like(s, Scalar.text("%GREEN%", collation)),
        r -> truth(one(r.s, x -> lower(x).contains("green"))));
    check(
        Scalar.like(t, Scalar.text("v_\\_%", collation)),
        r -> truth(one(r.t, x -> x.length() > 2 && x.charAt(2) == '_')));
    check(
        Scalar.call(NOT, Scalar.like(s, Scalar.text("x\\_y", collation))),
        r -> truth(one(r.s, x -> !x.equals("x_y"))));
    check(
        Scalar.in(s, List.of(red, Scalar.text("10%", collation))),
        r -> truth(one(r.s, x -> lower(x).equals("red") || x.equals("10%"))));
    check(
        Scalar.call(SUBSTRING, t, Scalar.whole(2), Scalar.whole(3)),
        r -> one(r.t, x -> x.substring(1, Math.min(x.length(), 4))));
    check(
        Scalar.call(SUBSTRING, s, Scalar.whole(-3)),
        r -> one(r.s, x -> x.length() < 3 ? "" : x.substring(x.length() - 3)));
    check(
        Scalar.call(RIGHT, s, Scalar.whole(2)),
        r -> one(r.s, x -> x.substring(Math.max(0, x.length() - 2))));
    check(Scalar.call(TRIM, s), r -> one(r.s, String::strip));
    check(Scalar.call(CHAR_LENGTH, t), r -> one(r.t, x -> (long) x.length()));
    check(
        Scalar.choose(List.of(new Scalar.Branch(Scalar.call(EQUAL, s, red), t)), Optional.of(s)),
        r -> "red".equalsIgnoreCase(r.s) ? r.t : r.s);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private void dates(Scalar day, Scalar a) {
    check(
        Scalar.extract(DateUnit.YEAR, day),
        r -> one(r.day, x -> (long) LocalDate.ofEpochDay(x).getYear()));
    check(
        Scalar.extract(DateUnit.QUARTER, day),
        r -> one(r.day, x -> (LocalDate.ofEpochDay(x).getMonthValue() + 2L) / 3));
    check(
        new Scalar.DateAdd(day, a, DateUnit.MONTH, ValueType.date(true)),
        r -> both(r.day, r.a, (x, y) -> LocalDate.ofEpochDay(x).plusMonths(y).toEpochDay()));
    check(
        new Scalar.DateAdd(day, a, DateUnit.WEEK, ValueType.date(true)),
        r -> both(r.day, r.a, (x, y) -> x + 7 * y));
    check(
        new Scalar.DateAdd(
            new Scalar.Cast(day, ValueType.datetime(0, true)),
            a,
            DateUnit.HOUR,
            ValueType.datetime(0, true)),
        r -> both(r.day, r.a, (x, y) -> (x * 24 + y) * 3_600_000_000L));
    check(
        Scalar.call(DATEDIFF, day, Scalar.date(LocalDate.of(1995, 1, 1))),
        r -> one(r.day, x -> x - LocalDate.of(1995, 1, 1).toEpochDay()));
    check(
        Scalar.call(LESS, day, Scalar.date(LocalDate.of(1995, 1, 1))),
        r -> truth(one(r.day, x -> x < LocalDate.of(1995, 1, 1).toEpochDay())));
  }

  @Test
  void asInPlainJava() {
    try (Bench bench = Bench.usual()) {
      TestTable table =
          bench.table(
              "t",
              BATCH,
              Bench.column("a", new ColumnKind.Int(false)),
              Bench.column("b", new ColumnKind.Int(false)),
              Bench.column("p", new ColumnKind.Decimal(12, 2)),
              Bench.column("w", new ColumnKind.Decimal(32, 4)),
              Bench.column("d", new ColumnKind.Floating(false)),
              Bench.column("s", Bench.text()),
              Bench.column("t", Bench.text()),
              Bench.column("day", new ColumnKind.Date()));
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(row());
        table.add(rows.getLast().cells());
      }
      PlanNode scan = bench.scan("t", true, "a", "b", "p", "w", "d", "s", "t", "day");
      Scalar[] c = new Scalar[8];
      for (int i = 0; i < c.length; i++) {
        c[i] = new Scalar.Column(i, scan.columns().get(i));
      }
      numbers(c[0], c[1], c[2], c[3], c[4]);
      conditions(c[0], c[1], c[2], c[3], c[4]);
      texts(c[5], c[6]);
      dates(c[7], c[0]);
      cases.forEach((scalar, expected) -> {
        assertEquals(
            counts(rows.stream().map(expected).toList()),
            counts(values(bench.run(new PlanNode.Project(scan, List.of(scalar))))),
            scalar.toString());
        if (scalar.type().equals(ValueType.truth(scalar.type().nullable()))) {
          assertEquals(
              rows.stream().filter(r -> Objects.equals(expected.apply(r), 1L)).count(),
              bench.run(new PlanNode.Filter(scan, scalar)).size(),
              "filter " + scalar);
        }
      });
    }
  }

  private static List<Object> values(List<List<Object>> rows) {
    List<Object> values = new ArrayList<>();
    rows.forEach(row -> values.add(row.getFirst()));
    return values;
  }

  /** Workers deliver batches in any order. */
  private static Map<Object, Integer> counts(List<Object> values) {
    Map<Object, Integer> counts = new java.util.HashMap<>();
    values.forEach(value -> counts.merge(value == null ? "NULL" : value, 1, Integer::sum));
    return counts;
  }
}
