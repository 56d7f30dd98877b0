package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.SelectItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Kinds of expressions, as MySQL's manual gives the functions' result types. What is not known for
 * sure is OTHER.
 */
public final class ValueKinds {
  private static final Set<String> STRINGS =
      words(
          """
          BIN CHAR CONCAT CONCAT_WS CONV DATABASE DATE_FORMAT DAYNAME ELT EXPORT_SET
          FORMAT FROM_BASE64 GROUP_CONCAT HEX INET_NTOA INSERT JSON_PRETTY JSON_TYPE JSON_UNQUOTE
          LCASE LEFT LOWER LPAD LTRIM MAKE_SET MD5 MID MONTHNAME OCT QUOTE REGEXP_REPLACE
          REGEXP_SUBSTR REPEAT REPLACE REVERSE RIGHT RPAD RTRIM SCHEMA SHA SHA1 SHA2 SOUNDEX SPACE
          SUBSTR SUBSTRING SUBSTRING_INDEX TIME_FORMAT TO_BASE64 TRIM UCASE UPPER USER UUID VERSION
          CURRENT_USER CURRENT_ROLE
          """);

  private static final Set<String> NUMBERS =
      words(
          """
          ABS ACOS ASCII ASIN ATAN ATAN2 AVG BIT_COUNT BIT_LENGTH CEIL CEILING CHARACTER_LENGTH
          CHAR_LENGTH CONNECTION_ID COS COT COUNT CRC32 CUME_DIST DATEDIFF DAY DAYOFMONTH DAYOFWEEK
          DAYOFYEAR DEGREES DENSE_RANK EXP EXTRACT FIELD FIND_IN_SET FLOOR GROUPING HOUR INET_ATON
          INSTR INTERVAL ISNULL JSON_CONTAINS JSON_DEPTH JSON_LENGTH JSON_OVERLAPS JSON_VALID
          LAST_INSERT_ID LENGTH LN LOCATE LOG LOG10 LOG2 MICROSECOND MINUTE MOD MONTH NTILE
          OCTET_LENGTH ORD PERCENT_RANK PERIOD_ADD PERIOD_DIFF PI POSITION POW POWER QUARTER RADIANS
          RAND RANK REGEXP_INSTR REGEXP_LIKE ROUND ROW_COUNT ROW_NUMBER SECOND SIGN SIN SQRT STD
          STDDEV STDDEV_POP STDDEV_SAMP STRCMP SUM TAN TIMESTAMPDIFF TIME_TO_SEC TO_DAYS TO_SECONDS
          TRUNCATE UNIX_TIMESTAMP VARIANCE VAR_POP VAR_SAMP WEEK WEEKDAY WEEKOFYEAR YEAR YEARWEEK
          """);

  private static final Set<String> TEMPORALS =
      words(
          """
          CURDATE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURTIME DATE FROM_DAYS LAST_DAY
          LOCALTIME LOCALTIMESTAMP MAKEDATE MAKETIME NOW SEC_TO_TIME SYSDATE TIME TIMEDIFF TIMESTAMP
          UTC_DATE UTC_TIME UTC_TIMESTAMP
          """);

  private final Scope scope;
  private final Literals literals;
  private final Function<Query.Block, Optional<Scope>> scopes;

  /** Of expressions in a scope; {@code scopes} gives those of the blocks of subqueries. */
  public ValueKinds(Scope scope, Literals literals, Function<Query.Block, Optional<Scope>> scopes) {
    this.scope = scope;
    this.literals = literals;
    this.scopes = scopes;
  }

  private static Set<String> words(String list) {
    return Set.of(list.strip().split("\\s+"));
  }

  /** The kind of an expression's value. */
  public ValueKind of(Expr expr) {
    return switch (expr) {
      case Expr.Name name -> scope.find(name).map(Output::kind).orElse(ValueKind.OTHER);
      case Expr.Slot slot -> literals.kind(slot.index());
      case Expr.Literal literal -> literal(literal.text());
      case Expr.Parenthesised inner -> of(inner.inner());
      case Expr.Operation operation -> operation(operation);
      case Expr.Case branches -> either(branches.results());
      case Expr.InList in -> ValueKind.NUMBER;
      case Expr.InQuery in -> ValueKind.NUMBER;
      case Expr.Exists exists -> ValueKind.NUMBER;
      case Expr.Call call -> call(call);
      case Expr.Subquery subquery -> subquery(subquery.query());
      case Expr.Star star -> ValueKind.OTHER;
      case Expr.Variable variable -> ValueKind.OTHER;
      case Expr.Row row -> ValueKind.OTHER;
    };
  }

  private static ValueKind literal(String text) {
    if (text.equals("NULL")) {
      return ValueKind.NULL;
    }
    return text.startsWith("'") || text.startsWith("\"") ? ValueKind.STRING : ValueKind.NUMBER;
  }

  private ValueKind operation(Expr.Operation operation) {
    return switch (operation.operator()) {
      case AND, OR, NOT, EQUAL, IS_NULL, PREDICATE -> ValueKind.NUMBER;
      case ARITHMETIC -> arithmetic(operation.operands());
      case TEXT -> ValueKind.STRING;
      case TEMPORAL_LITERAL -> ValueKind.TEMPORAL;
      case INTERVAL, ASSIGN, OTHER -> ValueKind.OTHER;
    };
  }

  /** A number, but for dates plus or minus intervals. */
  private ValueKind arithmetic(List<Expr> operands) {
    List<ValueKind> kinds = new ArrayList<>();
    boolean interval = false;
    for (Expr operand : operands) {
      boolean isInterval =
          operand.bare() instanceof Expr.Operation inner
              && inner.operator() == Expr.Operator.INTERVAL;
      interval |= isInterval;
      if (!isInterval) {
        kinds.add(of(operand));
      }
    }
    if (!interval) {
      return ValueKind.NUMBER;
    }
    return dateOf(ValueKind.ofEither(kinds));
  }

  private static ValueKind dateOf(ValueKind kind) {
    return kind == ValueKind.TEMPORAL || kind == ValueKind.STRING ? kind : ValueKind.OTHER;
  }

  private ValueKind either(List<Expr> values) {
    return ValueKind.ofEither(values.stream().map(this::of).toList());
  }

  private ValueKind call(Expr.Call call) {
    String name = call.name();
    List<Expr> arguments = call.arguments();
    if (STRINGS.contains(name)) {
      return ValueKind.STRING;
    }
    if (NUMBERS.contains(name)) {
      return ValueKind.NUMBER;
    }
    if (TEMPORALS.contains(name)) {
      return ValueKind.TEMPORAL;
    }
    if (arguments.isEmpty()) {
      return ValueKind.OTHER;
    }
    Expr first = arguments.getFirst();
    return switch (name) {
      case "MIN", "MAX", "ANY_VALUE", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "NULLIF" ->
          ValueKind.ofEither(List.of(of(first)));
      case "COALESCE", "IFNULL", "GREATEST", "LEAST" -> either(arguments);
      case "LAG", "LEAD" ->
          arguments.size() < 3
              ? ValueKind.ofEither(List.of(of(first)))
              : either(List.of(first, arguments.get(2)));
      case "IF" -> either(arguments.subList(1, arguments.size()));
      case "DATE_ADD", "DATE_SUB", "ADDDATE", "SUBDATE" -> dateOf(of(first));
      case "TIMESTAMPADD" -> dateOf(of(arguments.getLast()));
      case "CAST", "CONVERT" -> cast(call.type());
      default -> ValueKind.OTHER;
    };
  }

  private static ValueKind cast(String type) {
    return switch (type) {
      case "CHAR", "CHARACTER", "NCHAR", "BINARY", "USING" -> ValueKind.STRING;
      case "SIGNED", "UNSIGNED", "DECIMAL", "FLOAT", "DOUBLE", "REAL", "YEAR" -> ValueKind.NUMBER;
      case "DATE", "DATETIME", "TIME" -> ValueKind.TEMPORAL;
      default -> ValueKind.OTHER;
    };
  }

  private ValueKind subquery(Query query) {
    List<SelectItem> items = SelectItems.naming(query);
    if (items.size() != 1 || !(query.body() instanceof Query.Block block)) {
      return ValueKind.OTHER;
    }
    return scopes
        .apply(block)
        .map(inner -> new ValueKinds(inner, literals, scopes).of(items.getFirst().expr()))
        .map(kind -> ValueKind.ofEither(List.of(kind)))
        .orElse(ValueKind.OTHER);
  }
}
