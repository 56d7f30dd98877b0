package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** From expressions of the syntax to typed expressions over a block's row. One thread. */
class ExpressionBinder {
  /** A string of ASCII characters without escapes. */
  private static final Pattern PLAIN_STRING = Pattern.compile("'[ -~&&[^'\\\\]]*'");

  private final BindContext context;
  private final Scope scope;
  private final QueryBinder queries;
  private final SlotLiterals literals;
  private final CallBinder calls;

  ExpressionBinder(BindContext context, Scope scope, QueryBinder queries) {
    this.context = context;
    this.scope = scope;
    this.queries = queries;
    this.literals = new SlotLiterals(context);
    this.calls = new CallBinder(context, this);
  }

  Scope scope() {
    return scope;
  }

  Expressions expressions() {
    return context.expressions();
  }

  SlotLiterals literals() {
    return literals;
  }

  /** An expression as a condition. */
  RexNode condition(Expr expr) {
    return expressions().condition(bind(expr));
  }

  /** An expression. */
  RexNode bind(Expr expr) {
    return switch (expr) {
      case Expr.Name name -> name(name);
      case Expr.Slot slot -> literals.literal(slot.index());
      case Expr.Literal literal -> literal(literal);
      case Expr.Parenthesised parenthesised -> bind(parenthesised.inner());
      case Expr.Operation operation -> new OperationBinder(context, this).bind(operation);
      case Expr.Case choice -> choose(choice);
      case Expr.InList list -> inList(list);
      case Expr.InQuery in -> in(in);
      case Expr.Exists exists -> new SubqueryBinder(context, queries, scope).exists(exists.query());
      case Expr.Subquery subquery ->
          new SubqueryBinder(context, queries, scope).value(subquery.query());
      case Expr.Call call -> call(call);
      case Expr.Star star -> throw new NotCovered("* as a value");
      case Expr.Variable variable -> throw new NotCovered("the variable " + variable.text());
      case Expr.Row row -> throw new NotCovered("a row of values");
    };
  }

  /** A column. */
  RexNode name(Expr.Name name) {
    return scope.resolve(name);
  }

  /** A call of an aggregate function: only groups can have one. */
  RexNode aggregate(AggregateFunction function, Expr.Call call) {
    throw new NotCovered("an aggregate function outside of groups");
  }

  private RexNode call(Expr.Call call) {
    if (call.window().isPresent()) {
      throw new NotCovered("a window function");
    }
    Optional<AggregateFunction> aggregate =
        switch (call.name()) {
          case "COUNT" -> Optional.of(AggregateFunction.COUNT);
          case "SUM" -> Optional.of(AggregateFunction.SUM);
          case "AVG" -> Optional.of(AggregateFunction.AVG);
          case "MIN" -> Optional.of(AggregateFunction.MIN);
          case "MAX" -> Optional.of(AggregateFunction.MAX);
          case "ANY_VALUE" -> Optional.of(AggregateFunction.ANY_VALUE);
          default -> Optional.empty();
        };
    return aggregate.isPresent() ? aggregate(aggregate.get(), call) : calls.bind(call);
  }

  /** A literal that is no slot: those of views are none. */
  private RexNode literal(Expr.Literal literal) {
    String text = literal.text();
    Expressions expressions = expressions();
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "NULL" -> expressions.nothing();
      case "TRUE" -> expressions.whole(1);
      case "FALSE" -> expressions.whole(0);
      default -> {
        if (text.matches("[0-9]{1,18}")) {
          yield expressions.whole(Long.parseLong(text));
        }
        if (text.matches("[0-9]*\\.[0-9]+")) {
          yield expressions.exact(new BigDecimal(text));
        }
        boolean whole = literal.span().end() - literal.span().start() == text.length();
        if (whole && PLAIN_STRING.matcher(text).matches()) {
          yield expressions.text(text.substring(1, text.length() - 1), context.literalCollation());
        }
        throw new NotCovered("the literal " + text);
      }
    };
  }

  private RexNode choose(Expr.Case choice) {
    List<Expr> conditions = choice.conditions();
    List<RexNode> operands = new ArrayList<>();
    Optional<RexNode> compared =
        choice.compared() ? Optional.of(bind(conditions.getFirst())) : Optional.empty();
    List<Expr> whens = conditions.subList(choice.compared() ? 1 : 0, conditions.size());
    for (int i = 0; i < whens.size(); i++) {
      RexNode when =
          compared.isPresent()
              ? expressions().compare(ScalarFunction.EQUAL, compared.get(), bind(whens.get(i)))
              : condition(whens.get(i));
      operands.add(when);
      operands.add(bind(choice.results().get(i)));
    }
    operands.add(
        choice.results().size() > whens.size()
            ? bind(choice.results().getLast())
            : expressions().nothing());
    return new Choices(expressions()).choose(operands);
  }

  /** A list of values of the kind that is looked for; of others an equality for each. */
  private RexNode inList(Expr.InList list) {
    RexNode value = bind(list.value());
    if (value.getType().isNullable() && list.list().stream().anyMatch(ExpressionBinder::computes)) {
      throw new NotCovered("IN over a value that may be NULL and a list that is computed");
    }
    List<RexNode> operands = new ArrayList<>();
    List<RexNode> equalities = new ArrayList<>();
    operands.add(value);
    ValueType type = expressions().type(value);
    boolean alike = !(value instanceof RexLiteral);
    for (Expr item : list.list()) {
      RexNode bound = bind(item);
      RexNode operand = expressions().comparable(bound, value);
      operands.add(operand);
      equalities.add(expressions().compare(ScalarFunction.EQUAL, value, bound));
      ValueType other = expressions().type(operand);
      alike &= other.kind() == type.kind() && other.scale() == type.scale();
    }
    boolean nullable = operands.stream().anyMatch(operand -> operand.getType().isNullable());
    RexNode in =
        alike
            ? expressions().call(Functions.IN_LIST, expressions().types().truth(nullable), operands)
            : expressions().or(equalities);
    return list.negated() ? expressions().not(in) : in;
  }

  /** Whether it may fail for a row: a mysqld computes a list for a value that is NULL, too. */
  private static boolean computes(Expr item) {
    boolean[] columns = new boolean[1];
    item.walk(part -> columns[0] |= part instanceof Expr.Name);
    return columns[0] && !(item.bare() instanceof Expr.Name);
  }

  private RexNode in(Expr.InQuery in) {
    SubqueryBinder binder = new SubqueryBinder(context, queries, scope);
    List<RexNode> values =
        in.value().bare() instanceof Expr.Row row
            ? row.cells().stream().map(this::bind).toList()
            : List.of(bind(in.value()));
    RexNode bound = binder.in(values, in.query());
    return in.negated() ? expressions().not(bound) : bound;
  }

  /** {@code value operator ANY (query)} and ALL. */
  RexNode quantified(RexNode value, String operator, boolean all, Query query) {
    SubqueryBinder binder = new SubqueryBinder(context, queries, scope);
    if (operator.equals("=") && !all) {
      return binder.in(List.of(value), query);
    }
    if (operator.matches("<>|!=") && all) {
      return expressions().not(binder.in(List.of(value), query));
    }
    throw new NotCovered("a comparison with " + (all ? "ALL" : "ANY") + " by " + operator);
  }
}
