package io.alrai.cn.analytic;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.optimizer.api.text.Identifier;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The part of a scan's predicate that a mysqld can judge: true wherever the predicate is. Only
 * comparisons of columns with values of their own kind, which both judge alike. Stateless.
 */
final class PushedConditions {
  private static final long MICROS = 1_000_000;
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private final List<String> names;

  private PushedConditions(List<String> names) {
    this.names = names;
  }

  /**
   * SQL for it; empty where no part of it can be written.
   *
   * @param names of the columns that it is over
   */
  static Optional<String> of(Scalar predicate, List<String> names) {
    return new PushedConditions(names).sql(predicate);
  }

  private Optional<String> sql(Scalar condition) {
    return switch (condition) {
      case Scalar.Call call when call.function() == ScalarFunction.AND -> {
        List<String> parts =
            call.arguments().stream().map(this::sql).flatMap(Optional::stream).toList();
        yield parts.isEmpty() ? Optional.empty() : Optional.of(joined(parts, " AND "));
      }
      case Scalar.Call call when call.function() == ScalarFunction.OR ->
          all(call.arguments(), this::sql).map(parts -> joined(parts, " OR "));
      case Scalar.Call call when call.function().isComparison() -> comparison(call);
      case Scalar.Call(ScalarFunction function, List<Scalar> arguments, var type)
          when function == ScalarFunction.IS_NULL || function == ScalarFunction.IS_NOT_NULL ->
          arguments.getFirst() instanceof Scalar.Column column
              ? Optional.of(
                  named(column)
                      + (function == ScalarFunction.IS_NULL ? " IS NULL" : " IS NOT NULL"))
              : Optional.empty();
      case Scalar.InList(Scalar.Column column, List<Scalar> values, var type) ->
          all(values, value -> literal(value, column.type()))
              .map(texts -> named(column) + " IN (" + String.join(",", texts) + ")");
      case Scalar.Call _,
          Scalar.Case _,
          Scalar.Cast _,
          Scalar.InList _,
          Scalar.Like _,
          Scalar.Extract _,
          Scalar.DateAdd _,
          Scalar.Leaf _ ->
          Optional.empty();
    };
  }

  private static String joined(List<String> parts, String word) {
    return parts.stream().map(part -> "(" + part + ")").collect(Collectors.joining(word));
  }

  private static Optional<List<String>> all(
      List<Scalar> parts, Function<Scalar, Optional<String>> text) {
    List<String> texts = new ArrayList<>();
    for (Scalar part : parts) {
      Optional<String> known = text.apply(part);
      if (known.isEmpty()) {
        return Optional.empty();
      }
      texts.add(known.get());
    }
    return Optional.of(texts);
  }

  private Optional<String> comparison(Scalar.Call call) {
    Scalar left = call.arguments().get(0);
    Scalar right = call.arguments().get(1);
    String operator = operator(call.function());
    if (left instanceof Scalar.Column column) {
      return literal(right, column.type()).map(value -> named(column) + operator + value);
    }
    return right instanceof Scalar.Column column
        ? literal(left, column.type()).map(value -> value + operator + named(column))
        : Optional.empty();
  }

  private static String operator(ScalarFunction comparison) {
    return switch (comparison) {
      case EQUAL -> "=";
      case NOT_EQUAL -> "<>";
      case LESS -> "<";
      case LESS_EQUAL -> "<=";
      case GREATER -> ">";
      case GREATER_EQUAL -> ">=";
      default -> throw new IllegalArgumentException(comparison + " compares nothing");
    };
  }

  private String named(Scalar.Column column) {
    return Identifier.quote(names.get(column.index()));
  }

  private static Optional<String> literal(Scalar value, ValueType column) {
    if (!(value instanceof Scalar.Literal literal) || !isOfKind(literal.type(), column)) {
      return Optional.empty();
    }
    return switch (literal.value()) {
      case Constant.Whole whole -> Optional.of(Long.toString(whole.value()));
      case Constant.Exact exact -> Optional.of(exact.value().toPlainString());
      case Constant.Text text -> ascii(text.value());
      case Constant.Day day -> Optional.of("DATE'" + LocalDate.ofEpochDay(day.epochDay()) + "'");
      case Constant.Moment moment -> Optional.of("TIMESTAMP'" + moment(moment) + "'");
      case Constant.Floating floating -> Optional.empty();
      case Constant.Null none -> Optional.empty();
    };
  }

  private static boolean isOfKind(ValueType literal, ValueType column) {
    return switch (column.kind()) {
      case BIGINT, DECIMAL ->
          literal.kind() == ValueKind.BIGINT || literal.kind() == ValueKind.DECIMAL;
      case STRING, DATE, DATETIME -> literal.kind() == column.kind();
      case UNSIGNED, DOUBLE -> false;
    };
  }

  /** Whatever the session's modes make of quotes and backslashes. */
  private static Optional<String> ascii(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length == text.length()
        ? Optional.of("_utf8mb4 X'" + HexFormat.of().formatHex(bytes) + "'")
        : Optional.empty();
  }

  private static String moment(Constant.Moment moment) {
    long seconds = Math.floorDiv(moment.epochMicros(), MICROS);
    int nanos = (int) Math.floorMod(moment.epochMicros(), MICROS) * 1_000;
    return LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC).format(MOMENT);
  }
}
