package io.alrai.optimizer.api.routine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.routine.Routine.Mode;
import io.alrai.optimizer.api.routine.Routine.Parameter;
import io.alrai.optimizer.api.routine.Routine.Variable;
import io.alrai.optimizer.api.routine.Step.Condition;
import io.alrai.optimizer.api.routine.Step.Declaration;
import io.alrai.optimizer.api.routine.Step.Target;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutineParserTest {
  /** Variables x (0), y (1) and `z z` (2). */
  private static final String PARAMETERS = "x INT, IN y VARCHAR(10), INOUT `z z` DECIMAL(5, 2)";

  private static Routine routine(String body) {
    return RoutineParser.parse(PARAMETERS, body, false, false);
  }

  private static <T extends Step> T only(Class<T> type, String body) {
    return assertInstanceOf(type, routine(body).body());
  }

  /** With the variables' numbers in braces; row counts with a star. */
  private static String shown(Fragment fragment) {
    return fragment.filled(hole ->
        "{" + fragment.slots().get(hole) + (fragment.rowCounts().get(hole) ? "*" : "") + "}");
  }

  @Test
  void parameters() {
    Routine routine =
        RoutineParser.parse(
            "OUT a INT, b SET('a,b', 'c') , inout c BIGINT UNSIGNED", "DO 1", false, false);
    assertEquals(
        List.of(
            new Parameter(Mode.OUT, "a"),
            new Parameter(Mode.IN, "b"),
            new Parameter(Mode.INOUT, "c")),
        routine.parameters());
    assertEquals(
        List.of(
            new Variable("a", "INT"),
            new Variable("b", "SET('a,b', 'c')"),
            new Variable("c", "BIGINT UNSIGNED")),
        routine.variables());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "SELECT x | SELECT {0} AS `x`",
        "SELECT X + 1, a FROM t | SELECT {0} + 1 AS `X + 1`, a FROM t",
        "SELECT `x` AS b, t.x, x.a, x() FROM t x | SELECT {0} AS b, t.x, x.a, x() FROM t x",
        "SELECT a x FROM x WHERE x = x | SELECT a x FROM x WHERE {0} = {0}",
        "SELECT a FROM t WHERE b IN (SELECT y FROM u WHERE c = `z z`) | SELECT a FROM t WHERE b IN (SELECT {1} AS `y` FROM u WHERE c = {2})",
        "SELECT a FROM t ORDER BY x LIMIT x, y | SELECT a FROM t ORDER BY IFNULL({0}, NULL) LIMIT {0*}, {1*}",
        "SELECT a FROM t LIMIT y OFFSET 5 | SELECT a FROM t LIMIT {1*} OFFSET 5",
        "SELECT 'x', \"y\", 'it''s x' | SELECT 'x', \"y\", 'it''s x'",
        "SELECT ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) AS n FROM t | SELECT ROW_NUMBER() OVER (PARTITION BY {0} ORDER BY {1}) AS n FROM t",
        "SELECT y->'$.a', y->>'$.b' AS b | SELECT JSON_EXTRACT({1},'$.a') AS `y->'$.a'`, JSON_UNQUOTE(JSON_EXTRACT({1},'$.b')) AS b",
        "SELECT 'é', x | SELECT 'é', {0} AS `x`",
        "UPDATE t SET x = x + y WHERE a = x | UPDATE t SET x = {0} + {1} WHERE a = {0}",
        "DELETE FROM x WHERE a = x LIMIT x | DELETE FROM x WHERE a = {0} LIMIT {0*}",
        "INSERT INTO t (x, y) VALUES (x, y + 1), (DEFAULT(x), (x)) | INSERT INTO t (x, y) VALUES ({0}, {1} + 1), (DEFAULT(x), ({0}))",
        "INSERT INTO t VALUES (x) ON DUPLICATE KEY UPDATE x = VALUES(x) + y, y = x | INSERT INTO t VALUES ({0}) ON DUPLICATE KEY UPDATE x = VALUES(x) + {1}, y = {0}",
        "REPLACE t SET x = x, y = CONCAT(y, 'x') | REPLACE t SET x = {0}, y = CONCAT({1}, 'x')",
        "INSERT INTO x SELECT x, a FROM t | INSERT INTO x SELECT {0} AS `x`, a FROM t",
      })
  void variablesInStatements(String sql, String expected) {
    Step.Sql step = only(Step.Sql.class, sql);
    assertEquals(expected, shown(step.text()));
    assertTrue(step.marked());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SET @x = x + 1, @y = y | SET @x = {0} + 1 ; SET @y = {1}",
        "SET SESSION x = y | SET SESSION x = {1}",
        "SET @n = (SELECT COUNT(*) FROM x WHERE a = y) | SET @n = (SELECT COUNT(*) FROM x WHERE a = {1})",
        "SHOW COLUMNS FROM x | SHOW COLUMNS FROM x",
        "KILL QUERY x | KILL QUERY {0}",
        "DO SLEEP(x) | DO SLEEP({0})",
        "CREATE TABLE x (x INT) | CREATE TABLE x (x INT)",
        "CREATE TABLE n AS SELECT x, a FROM t | CREATE TABLE n AS SELECT {0} AS `x`, a FROM t",
        "DROP TABLE x | DROP TABLE x",
      })
  void variablesAsLiterals(String sql, String expected) {
    Step body = routine(sql).body();
    List<Step> steps = body instanceof Step.Block block ? block.steps() : List.of(body);
    assertEquals(
        expected,
        String.join(
            " ; ",
            steps.stream()
                .map(Step.Sql.class::cast)
                .map(sqlStep -> shown(sqlStep.text()))
                .toList()));
    steps.forEach(step -> assertEquals(false, ((Step.Sql) step).marked()));
  }

  @Test
  void assignments() {
    Step.Block set =
        only(Step.Block.class, "SET x = y + (SELECT MAX(a) FROM t), y := 'a,b', @u = 5");
    assertEquals(
        List.of("Assign", "Assign", "Sql"),
        set.steps().stream().map(step -> step.getClass().getSimpleName()).toList());
    assertEquals("{1} + (SELECT MAX(a) FROM t)", shown(((Step.Assign) set.steps().get(0)).value()));
  }

  @Test
  void selectInto() {
    Step.SelectInto into =
        only(Step.SelectInto.class, "SELECT a, x INTO x, @u FROM t WHERE b = y FOR UPDATE");
    assertEquals(List.of(new Target.Local(0), new Target.User("u")), into.targets());
    assertEquals("SELECT a, {0} AS `x`   FROM t WHERE b = {1} FOR UPDATE", shown(into.query()));
    only(Step.Sql.class, "SELECT a, b INTO @a, @b FROM t");
    only(Step.SelectInto.class, "SELECT a FROM t LIMIT 1 INTO y");
  }

  @Test
  void blocksHideAndRestore() {
    Routine routine =
        routine(
            "b: BEGIN DECLARE x, w INT DEFAULT y; BEGIN DECLARE x CHAR(3); SELECT x; END; SELECT x;"
                + " END b");
    assertEquals(
        List.of("x", "y", "z z", "x", "w", "x"),
        routine.variables().stream().map(Variable::name).toList());
    Step.Block outer = assertInstanceOf(Step.Block.class, routine.body());
    assertEquals("b", outer.label());
    Step.Block inner = assertInstanceOf(Step.Block.class, outer.steps().get(0));
    assertEquals("SELECT {5} AS `x`", shown(((Step.Sql) inner.steps().get(0)).text()));
    assertEquals("SELECT {3} AS `x`", shown(((Step.Sql) outer.steps().get(1)).text()));
    Declaration.Variable w =
        assertInstanceOf(Declaration.Variable.class, outer.declarations().get(1));
    assertEquals(Optional.of("{1}"), w.initial().map(RoutineParserTest::shown));
  }

  @Test
  void conditionsEndAtTheirOwnWords() {
    Step.If choice =
        only(
            Step.If.class,
            "IF CASE x WHEN 1 THEN 2 ELSE 3 END = IF(y, 1, 2) THEN SELECT 1; ELSEIF x IN (1, 2) THEN"
                + " SELECT 2; SELECT 3; ELSE SELECT 4; END IF");
    assertEquals(
        List.of("CASE {0} WHEN 1 THEN 2 ELSE 3 END = IF({1}, 1, 2)", "{0} IN (1, 2)"),
        choice.branches().stream().map(branch -> shown(branch.condition())).toList());
    assertEquals(2, choice.branches().get(1).steps().size());
    assertEquals(1, choice.otherwise().size());
    Step.Case searched =
        only(Step.Case.class, "CASE CASE y WHEN 1 THEN x END WHEN x + 1 THEN DO 1; END CASE");
    assertEquals(
        Optional.of("CASE {1} WHEN 1 THEN {0} END"),
        searched.operand().map(RoutineParserTest::shown));
    assertEquals(Optional.empty(), searched.otherwise());
  }

  @Test
  void loops() {
    Step.Loop endless = only(Step.Loop.class, "L: LOOP ITERATE l; LEAVE L; END LOOP l");
    assertEquals(List.of(new Step.Iterate("l"), new Step.Leave("l")), endless.steps());
    Step.Loop until = only(Step.Loop.class, "REPEAT DO 1; UNTIL x > 5 END REPEAT");
    assertEquals(Optional.of("{0} > 5"), until.behind().map(RoutineParserTest::shown));
    Step.Loop wide = only(Step.Loop.class, "WHILE x DO DO 1; END WHILE");
    assertEquals(Optional.of("{0}"), wide.before().map(RoutineParserTest::shown));
  }

  @Test
  void handlersAndConditions() {
    Step.Block block =
        only(
            Step.Block.class,
            "BEGIN DECLARE gone CONDITION FOR 1146; DECLARE c CURSOR FOR SELECT a FROM t WHERE a ="
                + " x; DECLARE EXIT HANDLER FOR gone, SQLSTATE VALUE '45000', NOT FOUND BEGIN SET x ="
                + " 1; END; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION, SQLWARNING SET x = 2; OPEN c;"
                + " FETCH NEXT FROM c INTO x, y; CLOSE c; END");
    assertEquals(
        List.of(
            new Condition.Number(1146),
            new Condition.State("45000"),
            new Condition.General(Condition.Kind.NOT_FOUND)),
        block.handlers().get(0).conditions());
    assertTrue(block.handlers().get(0).exits());
    assertInstanceOf(Step.Assign.class, block.handlers().get(1).body());
    assertEquals(
        List.of(
            new Step.Open(0),
            new Step.Fetch(0, List.of(new Target.Local(0), new Target.Local(1))),
            new Step.Close(0)),
        block.steps());
  }

  @Test
  void signalsAndDiagnostics() {
    Step.Signal signal =
        only(Step.Signal.class, "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = y, mysql_errno = 5");
    assertEquals(Optional.of("45000"), signal.state());
    assertEquals(
        List.of("MESSAGE_TEXT", "MYSQL_ERRNO"),
        signal.items().stream().map(Step.Signal.Item::name).toList());
    assertTrue(only(Step.Signal.class, "RESIGNAL").again());
    Step.Diagnose diagnose =
        only(
            Step.Diagnose.class,
            "GET STACKED DIAGNOSTICS CONDITION 1 x = MYSQL_ERRNO, @m = message_text");
    assertTrue(diagnose.stacked());
    assertEquals(
        List.of(
            new Step.Diagnose.Item(new Target.Local(0), "MYSQL_ERRNO"),
            new Step.Diagnose.Item(new Target.User("m"), "MESSAGE_TEXT")),
        diagnose.items());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1319 | BEGIN DECLARE CONTINUE HANDLER FOR nosuch DO 1; END",
        "1319 | SIGNAL nosuch",
        "1327 | GET DIAGNOSTICS nosuch = NUMBER",
        "1407 | SIGNAL SQLSTATE '00000'",
        "1407 | SIGNAL SQLSTATE '4500a'",
        "1641 | SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1, MYSQL_ERRNO = 2",
      })
  void conditionsThatAreNone(int errno, String body) {
    assertEquals(errno, assertThrows(AlraiException.class, () -> routine(body)).errno());
  }

  @Test
  void aStatementByItself() {
    Step.Signal signal =
        (Step.Signal)
            RoutineParser.onConditions(
                "SIGNAL SQLSTATE '45000' SET message_text = @m", false, false);
    assertEquals(List.of(new Step.Signal.Item("MESSAGE_TEXT", Fragment.of("@m"))), signal.items());
    assertEquals(
        1064,
        assertThrows(
                AlraiException.class,
                () -> RoutineParser.onConditions("RESIGNAL; RESIGNAL", false, false))
            .errno());
  }

  @Test
  void calls() {
    Step.Call call = only(Step.Call.class, "CALL s.p(x + 1, y, @U, f(1, 2))");
    assertEquals("p", call.name().table());
    assertEquals(
        List.of(
            Optional.empty(),
            Optional.of(new Target.Local(1)),
            Optional.of(new Target.User("u")),
            Optional.empty()),
        call.arguments().stream().map(Step.Call.Argument::target).toList());
    assertEquals(List.of(), only(Step.Call.class, "CALL p").arguments());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "BEGIN SELECT 1",
        "BEGIN SELECT 1; END; SELECT 2",
        "IF x THEN SELECT 1; END",
        "WHILE x DO SELECT 1; END LOOP",
        "FETCH nosuch INTO x",
        "SIGNAL",
        "SIGNAL 45000",
        "SIGNAL SQLSTATE '45000' SET FOO = 1",
        "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = ",
        "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 1 + 1",
        "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = UPPER('x')",
        "GET DIAGNOSTICS",
        "GET DIAGNOSTICS @a = MESSAGE_TEXT",
        "GET DIAGNOSTICS CONDITION 1 @a = NUMBER",
        "GET DIAGNOSTICS CONDITION -1 @a = MESSAGE_TEXT",
      })
  void whatIsNoBody(String body) {
    assertEquals(1064, assertThrows(AlraiException.class, () -> routine(body)).errno());
  }
}
