package io.alrai.e2e.columnar;

import io.alrai.e2e.columnar.MatrixColumn.Sort;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Expressions of {@link MatrixOperation} inside each other, in all places that a SELECT has. */
final class MatrixDice {
  private static final List<String> EXACT_LITERALS =
      List.of("0", "1", "-1", "2", "99", "1999", "0.5", "1.9286", "54/28", "-0.0001", "NULL");
  private static final List<String> TEMPORAL_LITERALS =
      List.of("DATE'2020-02-29'", "TIMESTAMP'2020-01-31 23:59:59'", "'1999-12-31'");
  private static final List<String> TEXT_LITERALS =
      List.of("'a'", "'A'", "''", "'a '", "'abc'", "'ä'", "'1'");

  /** SELECTs around an expression {@code E}; {@code F} is the same over {@code o}. */
  private static final List<String> PLACES =
      List.of(
          "SELECT m.id, E FROM m ORDER BY m.id",
          "SELECT m.id FROM m WHERE E ORDER BY m.id",
          "SELECT m.id FROM m WHERE NOT (E) OR m.i4 > 3 ORDER BY m.id",
          "SELECT COUNT(*), SUM(m.id) FROM m GROUP BY E ORDER BY 1, 2",
          "SELECT m.id % 4 g, COUNT(E), COUNT(DISTINCT E) FROM m GROUP BY g ORDER BY g",
          "SELECT m.id % 3 g, SUM(m.id) FROM m GROUP BY g HAVING COUNT(E) > 3 ORDER BY g",
          "SELECT m.id, MAX(E) = MIN(E) FROM m GROUP BY m.id ORDER BY m.id",
          "SELECT m.id FROM m ORDER BY E, m.id LIMIT 12",
          "SELECT m.id FROM m ORDER BY E DESC, m.id LIMIT 7",
          "SELECT m.id, o.id FROM m JOIN o ON E = F ORDER BY 1, 2",
          "SELECT m.id, o.id FROM m LEFT JOIN o ON E = F AND o.id < 9 ORDER BY 1, 2",
          "SELECT m.id FROM m WHERE E IN (SELECT F FROM o) ORDER BY m.id",
          "SELECT m.id FROM m WHERE EXISTS (SELECT 1 FROM o WHERE E = F) ORDER BY m.id",
          "SELECT COUNT(*) FROM (SELECT DISTINCT E x FROM m) d",
          "SELECT d.id, d.x FROM (SELECT m.id, E x FROM m) d WHERE d.x IS NOT NULL ORDER BY d.id",
          "SELECT m.id, CASE WHEN E THEN 1 WHEN m.n4 > 0 THEN 2 ELSE 3 END FROM m ORDER BY m.id",
          "SELECT m.id FROM m WHERE E = F2 ORDER BY m.id",
          "SELECT m.id FROM m WHERE E > F2 ORDER BY m.id",
          "SELECT m.id FROM m WHERE E IN (F2, 1) ORDER BY m.id",
          "SELECT m.id FROM m WHERE E BETWEEN F2 AND 100 ORDER BY m.id",
          "SELECT SUM(m.id) FROM m WHERE E <=> F2");

  /** Of exact numbers only. */
  private static final List<String> SUMS =
      List.of(
          "SELECT SUM(E), AVG(E), MIN(E), MAX(E) FROM m",
          "SELECT m.id % 4 g, SUM(E), AVG(E) + 0.00000000001 FROM m GROUP BY g ORDER BY g",
          "SELECT m.yr, SUM(E) / COUNT(E), SUM(E) / 3 + 0.00000000001 FROM m GROUP BY m.yr"
              + " ORDER BY m.yr",
          "SELECT m.id % 5 g FROM m GROUP BY g HAVING SUM(E) > AVG(E) ORDER BY g");

  /** What makes a sum one of floating point numbers: it depends on the order of the rows. */
  private static final Pattern FLOATING =
      Pattern.compile("@\\.(fl|[sx][a-z0-9]|bi)\\b|DOUBLE|UPPER|SUBSTRING|'");

  private final Random dice;

  MatrixDice(Random dice) {
    this.dice = dice;
  }

  private <T> T any(List<T> all) {
    return all.get(dice.nextInt(all.size()));
  }

  private MatrixColumn column(Sort sort) {
    return any(MatrixColumn.READ.stream().filter(column -> column.sort() == sort).toList());
  }

  private Sort sort() {
    return any(
        List.of(Sort.EXACT, Sort.EXACT, Sort.EXACT, Sort.TEMPORAL, Sort.FOLDED, Sort.DOUBLE));
  }

  private String operand(Sort sort, int depth) {
    if (depth > 0 && dice.nextInt(3) > 0) {
      return of(sort, depth);
    }
    if (dice.nextInt(5) == 0) {
      return switch (sort) {
        case EXACT, DOUBLE, OTHER -> any(EXACT_LITERALS);
        case TEMPORAL -> any(TEMPORAL_LITERALS);
        case FOLDED, TEXT -> any(TEXT_LITERALS);
      };
    }
    return "@." + column(sort).name();
  }

  /** An expression, most of whose operands are of one sort. */
  private String of(Sort sort, int depth) {
    Sort right = dice.nextInt(12) == 0 ? sort() : sort;
    if (dice.nextInt(3) == 0) {
      return compared(any(MatrixOperation.UNARY), operand(sort, depth - 1), "");
    }
    MatrixOperation operation = any(MatrixOperation.BINARY);
    return compared(operation, operand(sort, depth - 1), operand(right, depth - 1));
  }

  /** A mysqld takes NULLIF of a computed constant for NULL in conditions, whatever it is. */
  private String compared(MatrixOperation operation, String left, String right) {
    boolean constant = operation.name().startsWith("nullif") && !left.contains("@.");
    return operation.of(constant ? "@." + column(Sort.EXACT).name() : left, right);
  }

  /** A predicate. */
  String predicate() {
    return of(sort(), 2).replace("@.", "m.");
  }

  /** A SELECT. */
  String select() {
    Sort sort = sort();
    String expression = of(sort, 1 + dice.nextInt(3));
    boolean sums =
        sort == Sort.EXACT && !FLOATING.matcher(expression).find() && dice.nextInt(4) == 0;
    String other = "@." + column(sort).name();
    return any(sums ? SUMS : PLACES)
        .replaceAll("\\bF2\\b", Matcher.quoteReplacement(other.replace("@.", "m.")))
        .replaceAll("\\bE\\b", quoted(expression, "m."))
        .replaceAll("\\bF\\b", quoted(expression, "o."));
  }

  private static String quoted(String expression, String alias) {
    return Matcher.quoteReplacement(expression.replace("@.", alias));
  }
}
