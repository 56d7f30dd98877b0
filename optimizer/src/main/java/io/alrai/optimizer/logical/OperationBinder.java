package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** Operators. One thread. */
final class OperationBinder {
  private final BindContext context;
  private final ExpressionBinder binder;
  private final Expressions expressions;

  OperationBinder(BindContext context, ExpressionBinder binder) {
    this.context = context;
    this.binder = binder;
    this.expressions = context.expressions();
  }

  RexNode bind(Expr.Operation operation) {
    List<Expr> operands = operation.operands();
    return switch (operation.operator()) {
      case AND -> expressions.and(chain(operation));
      case OR -> expressions.or(chain(operation));
      case NOT -> expressions.not(condition(operands.getFirst()));
      case IS_NULL -> expressions.call(ScalarFunction.IS_NULL, all(operands));
      case EQUAL -> compare(ScalarFunction.EQUAL, operands);
      case PREDICATE -> predicate(operation);
      case ARITHMETIC -> arithmetic(operation);
      case TEMPORAL_LITERAL -> temporal(operation);
      case INTERVAL -> throw new NotCovered("an interval alone");
      case ASSIGN, TEXT, OTHER ->
          throw new NotCovered("the expression " + context.source(operation.span()));
    };
  }

  /** The conditions of {@code a AND b AND c}, all at once: one by one takes time to the square. */
  private List<RexNode> chain(Expr.Operation operation) {
    Deque<Expr> right = new ArrayDeque<>();
    Expr left = operation;
    while (left.bare() instanceof Expr.Operation inner
        && inner.operator() == operation.operator()) {
      right.push(inner.operands().get(1));
      left = inner.operands().get(0);
    }
    List<RexNode> conditions = new ArrayList<>();
    conditions.add(condition(left));
    right.forEach(each -> conditions.add(condition(each)));
    return conditions;
  }

  private RexNode condition(Expr expr) {
    return binder.condition(expr);
  }

  private List<RexNode> all(List<Expr> operands) {
    return operands.stream().map(binder::bind).toList();
  }

  private RexNode compare(ScalarFunction function, List<Expr> operands) {
    if (operands.get(0).bare() instanceof Expr.Row) {
      throw new NotCovered("a comparison of rows");
    }
    return expressions.compare(
        function, binder.bind(operands.get(0)), binder.bind(operands.get(1)));
  }

  private RexNode predicate(Expr.Operation operation) {
    List<Expr> operands = operation.operands();
    String symbol = operation.symbol();
    return switch (symbol) {
      case "<" -> compare(ScalarFunction.LESS, operands);
      case "<=" -> compare(ScalarFunction.LESS_EQUAL, operands);
      case ">" -> compare(ScalarFunction.GREATER, operands);
      case ">=" -> compare(ScalarFunction.GREATER_EQUAL, operands);
      case "<>", "!=" -> compare(ScalarFunction.NOT_EQUAL, operands);
      case "<=>" -> compare(ScalarFunction.NULL_SAFE_EQUAL, operands);
      case "XOR" ->
          expressions.call(
              ScalarFunction.XOR, List.of(condition(operands.get(0)), condition(operands.get(1))));
      case "BETWEEN" -> between(operands);
      case "NOT BETWEEN" -> expressions.not(between(operands));
      case "LIKE" -> like(operands);
      case "NOT LIKE" -> expressions.not(like(operands));
      case "IS NOT NULL" -> expressions.call(ScalarFunction.IS_NOT_NULL, all(operands));
      case "IS TRUE" -> is(ScalarFunction.IS_TRUE, operands);
      case "IS FALSE" -> is(ScalarFunction.IS_FALSE, operands);
      case "IS NOT TRUE" -> expressions.not(is(ScalarFunction.IS_TRUE, operands));
      case "IS NOT FALSE" -> expressions.not(is(ScalarFunction.IS_FALSE, operands));
      default -> {
        if (symbol.endsWith(" ANY") || symbol.endsWith(" ALL")) {
          yield binder.quantified(
              binder.bind(operands.get(0)),
              symbol.substring(0, symbol.indexOf(' ')),
              symbol.endsWith("ALL"),
              operands.get(1).queries().getFirst());
        }
        throw new NotCovered("the operator " + symbol);
      }
    };
  }

  private RexNode is(ScalarFunction function, List<Expr> operands) {
    return expressions.call(function, List.of(condition(operands.getFirst())));
  }

  private RexNode between(List<Expr> operands) {
    RexNode value = binder.bind(operands.get(0));
    return expressions.and(
        List.of(
            expressions.compare(ScalarFunction.GREATER_EQUAL, value, binder.bind(operands.get(1))),
            expressions.compare(ScalarFunction.LESS_EQUAL, value, binder.bind(operands.get(2)))));
  }

  private RexNode like(List<Expr> operands) {
    if (operands.size() > 2) {
      throw new NotCovered("LIKE with ESCAPE");
    }
    RexNode value = binder.bind(operands.get(0));
    RexNode pattern = binder.bind(operands.get(1));
    if (expressions.type(value).kind() != ValueKind.STRING || !(pattern instanceof RexLiteral)) {
      throw new NotCovered("LIKE of anything but a string and a literal");
    }
    if (expressions.type(value).collation() == TextCollation.BINARY) {
      throw new NotCovered("LIKE of a binary string");
    }
    return expressions.call(
        Functions.LIKE,
        expressions.types().truth(value.getType().isNullable()),
        List.of(value, expressions.comparable(pattern, value)));
  }

  private RexNode arithmetic(Expr.Operation operation) {
    List<Expr> operands = operation.operands();
    String symbol = operation.symbol();
    if (operands.size() == 1) {
      RexNode value = binder.bind(operands.getFirst());
      return switch (symbol) {
        case "-" -> expressions.call(ScalarFunction.NEGATE, List.of(value));
        case "+" -> value;
        case "!" -> expressions.not(expressions.condition(value));
        default -> throw new NotCovered("the operator " + symbol);
      };
    }
    Optional<RexNode> date = dateArithmetic(symbol, operands);
    if (date.isPresent()) {
      return date.get();
    }
    ScalarFunction function =
        switch (symbol) {
          case "+" -> ScalarFunction.ADD;
          case "-" -> ScalarFunction.SUBTRACT;
          case "*" -> ScalarFunction.MULTIPLY;
          case "/" -> ScalarFunction.DIVIDE;
          case "DIV" -> ScalarFunction.INTEGER_DIVIDE;
          case "%", "MOD" -> ScalarFunction.MODULO;
          default -> throw new NotCovered("the operator " + symbol);
        };
    return Constants.fold(expressions, function, all(operands));
  }

  private Optional<RexNode> dateArithmetic(String symbol, List<Expr> operands) {
    boolean plus = symbol.equals("+");
    if (!plus && !symbol.equals("-")) {
      return Optional.empty();
    }
    DateArithmetic dates = new DateArithmetic(expressions);
    if (isInterval(operands.get(1))) {
      return Optional.of(added(dates, operands.get(0), operands.get(1), !plus));
    }
    return plus && isInterval(operands.get(0))
        ? Optional.of(added(dates, operands.get(1), operands.get(0), false))
        : Optional.empty();
  }

  private RexNode added(DateArithmetic dates, Expr value, Expr interval, boolean back) {
    Expr.Operation operation = (Expr.Operation) interval;
    RexNode amount = binder.bind(operation.operands().getFirst());
    return dates.add(binder.bind(value), amount, operation.symbol(), back);
  }

  private static boolean isInterval(Expr expr) {
    return expr instanceof Expr.Operation operation
        && operation.operator() == Expr.Operator.INTERVAL;
  }

  private RexNode temporal(Expr.Operation operation) {
    String text =
        switch (operation.operands().getFirst()) {
          case Expr.Slot slot -> binder.literals().string(slot.index());
          case Expr.Literal literal when literal.text().matches("'[0-9: .-]*'") ->
              literal.text().substring(1, literal.text().length() - 1);
          case Expr.Leaf _,
              Expr.Parenthesised _,
              Expr.Row _,
              Expr.Operation _,
              Expr.Case _,
              Expr.InList _,
              Expr.OverQuery _,
              Expr.Call _ ->
              throw new NotCovered("the literal " + context.source(operation.span()));
        };
    TemporalText value = TemporalText.parse(text);
    boolean isDate = operation.symbol().equals("DATE");
    if (isDate == value.time().isPresent() || operation.symbol().equals("TIME")) {
      throw new NotCovered("the literal " + context.source(operation.span()));
    }
    return value.literal(expressions);
  }
}
