package io.alrai.optimizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.inspect.ViewTables;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ViewTextsTest {
  private static Catalog catalog(String query, String definer) {
    Column a = new Column("a", MysqlType.INT, false, 11, 0, "", "", false, false, false, false);
    Table t =
        new Table(
            1,
            "s",
            "t",
            List.of(a),
            List.of("a"),
            List.of(),
            false,
            new Partitioning.Single(),
            1,
            List.of(),
            List.of(),
            true,
            false);
    View v =
        new View("s", "v", List.of("a"), false, query, "", definer, false, true, "utf8mb4", "x");
    Schema schema = new Schema("s", "utf8mb4", "x", 2, Map.of("t", t), Map.of(), Map.of("v", v));
    Account account = Account.of("ann", "%", Credential.old("BB"), false, Grants.ALL);
    return new Catalog(
        1, Map.of("s", schema), List.of(), List.of(), Map.of("ann@%", account), Map.of(), Map.of());
  }

  private static String expanded(Catalog catalog, String sql, boolean noBackslashEscapes) {
    ShapedStatement statement = ShapedText.of(sql);
    Planner.Context context = new Planner.Context(catalog, "s", false, noBackslashEscapes);
    return ViewTexts.expanded(
            statement, StatementParser.parse(statement.shape(), false, noBackslashEscapes), context)
        .shape();
  }

  @Test
  void stringsAreReadAlikeWithoutBackslashEscapes() {
    assertEquals(
        "'it''s \\ \n \\% ''q'' \\_' `b\\n``'",
        ViewTexts.withoutEscapes("'it\\'s \\\\ \\n \\% ''q'' \\_' `b\\n``'"));
    Catalog catalog = catalog("select `s`.`t`.`a` AS `a` from `s`.`t` where ('\\\\' <> '')", "");
    assertEquals(
        "SELECT a FROM (select `s`.`t`.`a` AS `a` from `s`.`t` where ('\\' <> '')) AS `v`",
        expanded(catalog, "SELECT a FROM v", true));
    assertEquals(
        "SELECT a FROM (select `s`.`t`.`a` AS `a` from `s`.`t` where ('\\\\' <> '')) AS `v`",
        expanded(catalog, "SELECT a FROM v", false));
  }

  @Test
  void aViewIsReadInTheNameOfItsDefiner() {
    String query = "select concat(current_user(),'current_user()') AS `a`";
    assertEquals(
        "SELECT a FROM (select concat('ann@%','current_user()') AS `a`) AS `x`",
        expanded(catalog(query, "ann@%"), "SELECT a FROM v x", false));
    assertEquals(
        "SELECT a FROM (" + query + ") AS `x`",
        expanded(catalog(query, ""), "SELECT a FROM v x", false));
    AlraiException gone =
        assertThrows(
            AlraiException.class,
            () -> expanded(catalog(query, "bob@h"), "SELECT a FROM v", false));
    assertEquals(1449, gone.errno());
    assertEquals("The user specified as a definer ('bob'@'h') does not exist", gone.sentence());
  }

  @Test
  void aFunctionThatIsGoneOrHasNoDefiner() {
    Catalog without = catalog("select `s`.`f`(`s`.`t`.`a`) AS `a`,`sys`.`g`(1) AS `b`", "");
    assertEquals(
        1356,
        assertThrows(AlraiException.class, () -> expanded(without, "SELECT a FROM v", false))
            .errno());
    StoredFunction f = new StoredFunction("s", "f", "bob@h", true, "", Set.of());
    assertEquals(
        "SELECT a FROM (select `s`.`f`(`s`.`t`.`a`) AS `a`,`sys`.`g`(1) AS `b`) AS `v`",
        expanded(with(without, f), "SELECT a FROM v", false));
    assertEquals(
        1449,
        assertThrows(
                AlraiException.class,
                () -> expanded(with(without, f.withSecurity(false)), "SELECT a FROM v", false))
            .errno());
  }

  @Test
  void aFunctionIsForWhomItIsGrantedTo() {
    Catalog all = catalog("select `s`.`f`(`s`.`t`.`a`) AS `a`", "ann@%");
    StoredFunction f = new StoredFunction("s", "F", "ann@%", false, "", Set.of());
    GrantScope scope = GrantScope.ofRoutine(RoutineKind.FUNCTION, "s", "f");
    Grants none =
        Grants.NONE.granted(
            GrantChange.of(
                GrantScope.ofTable("s", "t"), Set.of(Privilege.SELECT), List.of(), false));
    Grants some = none.granted(GrantChange.of(scope, Set.of(Privilege.EXECUTE), List.of(), false));
    assertEquals(
        1356,
        assertThrows(
                AlraiException.class, () -> expanded(with(all, f, none), "SELECT a FROM v", false))
            .errno());
    assertEquals(
        "SELECT a FROM (select `s`.`f`(`s`.`t`.`a`) AS `a`) AS `v`",
        expanded(with(all, f, some), "SELECT a FROM v", false));
  }

  private static Catalog with(Catalog catalog, StoredFunction function, Grants ofAnn) {
    Account ann = catalog.accounts().get("ann@%").with(ofAnn);
    return new Catalog(
        1,
        with(catalog, function).schemas(),
        List.of(),
        List.of(),
        Map.of("ann@%", ann),
        Map.of(),
        Map.of());
  }

  private static Catalog with(Catalog catalog, StoredFunction function) {
    Schema schema =
        catalog.schema("s").orElseThrow().withFunctions(Map.of(function.key(), function));
    return new Catalog(
        1, Map.of("s", schema), List.of(), List.of(), catalog.accounts(), Map.of(), Map.of());
  }

  @Test
  void aStatementWithoutViewsIsLeftAlone() {
    Catalog catalog = catalog("select 1 AS `a`", "");
    ShapedStatement statement = ShapedText.of("SELECT a FROM t WHERE a IN (SELECT a FROM t)");
    Planner.Context context = new Planner.Context(catalog, "s", false, false);
    assertSame(
        statement,
        ViewTexts.expanded(
            statement, StatementParser.parse(statement.shape(), false, false), context));
  }

  @Test
  void locksReachTheTablesOfAView() {
    Catalog catalog = catalog("select `s`.`t`.`a` AS `a` from `s`.`t`", "");
    String read = "(select `s`.`t`.`a` AS `a` from `s`.`t`";
    assertEquals(
        "SELECT * FROM " + read + " FOR UPDATE) AS `v` FOR UPDATE",
        expanded(catalog, "SELECT * FROM v FOR UPDATE", false));
    assertEquals(
        "SELECT * FROM " + read + " FOR SHARE NOWAIT) AS `x`,t FOR SHARE OF x NOWAIT",
        expanded(catalog, "SELECT * FROM v x, t FOR SHARE OF x NOWAIT", false));
    assertEquals(
        "SELECT * FROM " + read + ") AS `x`,t FOR SHARE OF t",
        expanded(catalog, "SELECT * FROM v x, t FOR SHARE OF t", false));
    assertEquals(
        "SELECT * FROM t WHERE a IN (SELECT a FROM " + read + ") AS `v`) FOR UPDATE",
        expanded(catalog, "SELECT * FROM t WHERE a IN (SELECT a FROM v) FOR UPDATE", false));
  }

  @Test
  void everyTableOfAViewIsKnown() {
    Catalog catalog =
        catalog("select `x`.`a` AS `a` from (`s`.`t` `x` join `s`.`t`) where (1 = 1)", "");
    assertEquals(
        List.of("x", ""),
        ViewTables.of(catalog, catalog.view("s", "v").orElseThrow()).stream()
            .map(read -> read.alias().orElse(""))
            .toList());
  }
}
