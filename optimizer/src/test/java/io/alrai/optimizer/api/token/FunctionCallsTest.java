package io.alrai.optimizer.api.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionCallsTest {
  private static final Catalog CATALOG =
      new Catalog(
          1,
          Map.of(
              "dot.ted",
              schema("dot.ted", function("dot.ted", "x.y", "", Set.of())),
              "s",
              schema(
                  "s",
                  function("s", "f", "", Set.of("abs")),
                  function("s", "Outer", "", Set.of("inner")),
                  function("s", "inner", "", Set.of("f", "outer", "fresh")),
                  function("s", "fresh", "UUID", Set.of("uuid"))),
              "t",
              schema("t", function("t", "g", "", Set.of()))),
          List.of(),
          List.of(),
          Map.of(),
          Map.of(),
          Map.of());

  private static StoredFunction function(
      String schema, String name, String varying, Set<String> calls) {
    return new StoredFunction(schema, name, "", true, varying, calls);
  }

  private static Schema schema(String name, StoredFunction... functions) {
    return new Schema(name, "utf8mb4", "x", 2, Map.of(), Map.of(), Map.of())
        .withFunctions(
            List.of(functions).stream().collect(Collectors.toMap(StoredFunction::key, f -> f)));
  }

  private static Planner.Context in(String schema) {
    return new Planner.Context(CATALOG, schema, false, false);
  }

  private static String called(String sql) {
    return FunctionCalls.in(new TokenCursor(sql, false, false), in("s")).stream()
        .map(call -> call.function().schema() + "." + call.function().name())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT f(1), F (2), `f`(3)                    | s.f s.f s.f",
        "SELECT s.f(1), t . g(2), t.f(1), g(1)         | s.f t.g",
        "SELECT f, f.f, f.a FROM f WHERE f = 'f(1)'    | ''",
        "INSERT INTO f (a) VALUES (OUTER(f(1)))        | s.Outer s.f",
        "INSERT f (a) VALUES (1)                       | ''",
        "REPLACE s.f (a) SELECT fresh()                | s.fresh",
        "WITH f (a) AS (SELECT 1) SELECT * FROM f      | ''",
        "SELECT * FROM (SELECT 1) AS f (a)             | ''",
        "SELECT /* f(1) */ x -- f(2)                   | ''",
        "DO f(f(1))                                    | s.f s.f",
        "SELECT EXTRACT(YEAR FROM f(1)), f(f(a))       | s.f s.f s.f",
        "WITH x AS (TABLE y), f (a, b) AS (TABLE z) SELECT f(a) FROM x | s.f",
        "SELECT CAST(f(a) AS CHAR(3)), f (a) AS b      | s.f s.f",
        "INSERT IGNORE f (a) VALUES (1)                | ''",
        "CALL f(s.f(1))                                | s.f",
      })
  void whatIsACall(String sql, String expected) {
    assertEquals(expected, called(sql));
  }

  @Test
  void namesWithoutASchemaGetIt() {
    TokenCursor tokens = new TokenCursor("SET a = f (@x) + s.f(1), b=`F`(`c`)", false, false);
    Map<Integer, String> names = FunctionCalls.names(tokens, in("s"));
    assertEquals(
        "SET a = `s`.`f` (@x) + s.f(1), b=`s`.`f`(`c`)",
        FunctionCalls.named(tokens, 0, tokens.size(), names));
    assertEquals(Map.of(), FunctionCalls.names(tokens, in("t")));
    assertEquals(
        "select `s`.`f`(`s`.`t`.`a`) AS `f(a)`,'f(1)' AS `x` from `s`.`t`",
        FunctionCalls.qualified(
            "select `f`(`s`.`t`.`a`) AS `f(a)`,'f(1)' AS `x` from `s`.`t`", in("s")));
  }

  @Test
  void whereThereIsNoSchema() {
    TokenCursor unknown = new TokenCursor("SELECT F(1)", false, false);
    assertEquals(1046, errno(unknown, ""));
    assertEquals(1305, errno(unknown, "mysql"));
    FunctionCalls.requireSchema(unknown, in("t"));
    FunctionCalls.requireSchema(new TokenCursor("SELECT s.f(ABS(1))", false, false), in(""));
  }

  private static int errno(TokenCursor tokens, String schema) {
    return assertThrows(AlraiException.class, () -> FunctionCalls.requireSchema(tokens, in(schema)))
        .errno();
  }

  /** A dot within a name is none between a schema and a function. */
  @Test
  void namesWithDotsAreNames() {
    assertEquals("dot.ted.x.y", meant("`x.y`(1)", "dot.ted"));
    assertEquals("dot.ted.x.y", meant("`dot.ted`.`X.y`(1)", ""));
    assertEquals("none", meant("`dot.ted.x.y`(1)", "s"));
    assertEquals("none", meant("dot.`ted.x.y`(1)", "s"));
    assertEquals("none", meant("`s.f`(1)", "s"));
    assertEquals("s.f", meant("s.f(1)", ""));
  }

  private static String meant(String call, String currentSchema) {
    String[] found = {"none"};
    TableUses.of(StatementParser.parse("SELECT " + call, false, false))
        .expressions()
        .forEach(each ->
            each.walk(inner -> {
              if (inner instanceof Expr.Call named) {
                FunctionCalls.named(CATALOG, currentSchema, named.name())
                    .ifPresent(is -> found[0] = is.schema() + "." + is.name());
              }
            }));
    return found[0];
  }

  @Test
  void valuesVaryThroughOthers() {
    assertEquals("", FunctionCalls.varying(CATALOG, CATALOG.function("s", "F").orElseThrow()));
    assertEquals(
        "UUID", FunctionCalls.varying(CATALOG, CATALOG.function("s", "outer").orElseThrow()));
    assertEquals(
        Set.of("Outer", "inner", "f", "fresh"),
        FunctionCalls.called(CATALOG, CATALOG.function("s", "outer").orElseThrow()).stream()
            .map(StoredFunction::name)
            .collect(Collectors.toSet()));
  }
}
