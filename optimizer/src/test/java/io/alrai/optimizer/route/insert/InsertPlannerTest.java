package io.alrai.optimizer.route.insert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.InsertRows.RowPattern;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.parse.TemplateTexts;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

final class InsertPlannerTest {
  private static final Planner.Context SHOP =
      new Planner.Context(InsertTestCatalog.CATALOG, "shop", false, false);
  private static final Planner.Context NOWHERE =
      new Planner.Context(InsertTestCatalog.CATALOG, "", false, false);

  @Test
  void rowsByKey() {
    InsertRows rows = plan("INSERT INTO o (d,x,w) VALUES (1,'a',2)");
    assertEquals("shop", rows.schema());
    assertEquals("o", rows.table());
    assertEquals(List.of("d", "x", "w"), rows.columns());
    assertEquals(3, rows.clientCells());
    assertEquals(List.of(2, 0), byKey(rows).cells());
    assertEquals("w", byKey(rows).function().columns().get(0).name());
    assertEquals("shop_p00001", byKey(rows).places().get(1).physicalSchema().name());
    assertEquals("INSERT INTO <place>.`o` (`d`,`x`,`w`) VALUES ", TemplateTexts.of(rows.head()));
    assertEquals("?0,?1,?2", patterns(rows));
    assertEquals(3, rows.slotsPerRow());
    assertTrue(rows.verbatim());
    assertTrue(rows.autoIncrement().isEmpty());
    assertEquals("", TemplateTexts.of(rows.tail()));
  }

  @Test
  void onePlanForAnyNumberOfRows() {
    assertEquals(
        plan("INSERT INTO o VALUES (1,2,3) ON DUPLICATE KEY UPDATE x=x+1"),
        plan("INSERT INTO o VALUES (4,5,6),(7,8,'x') ON DUPLICATE KEY UPDATE x=x+9"));
    InsertRows rows = plan("INSERT INTO o VALUES (4,5,6),(7,8,9) ON DUPLICATE KEY UPDATE x=x+9");
    assertEquals(" ON DUPLICATE KEY UPDATE x=x+<?3>", TemplateTexts.of(rows.tail()));
  }

  @Test
  void unequalRowsHaveAPatternEach() {
    InsertRows rows = plan("INSERT INTO o VALUES (1,2,3),(4,5,NOW()),(DEFAULT,6,7+8)");
    assertEquals("?0,?1,?2; ?3,?4,(NOW()); default,?5,(<?6>+<?7>)", patterns(rows));
    assertEquals(0, rows.slotsPerRow());
  }

  @Test
  void setForm() {
    InsertRows rows =
        plan("INSERT INTO o SET w=1, o.d=NULL, x=DEFAULT ON DUPLICATE KEY UPDATE x=2");
    assertEquals(List.of("w", "d", "x"), rows.columns());
    assertEquals("?0,null,default", patterns(rows));
    assertEquals(" ON DUPLICATE KEY UPDATE x=<?1>", TemplateTexts.of(rows.tail()));
    assertTrue(rows.verbatim());
    assertEquals("(<?0>+<?1>),?2", patterns(plan("INSERT INTO o SET w=1+2, d=3")));
  }

  @Test
  void autoIncrementIsAppendedWhereItIsLeftOut() {
    InsertRows rows = plan("INSERT INTO t (a) VALUES (1)");
    assertEquals(
        new AutoIncrement("auto:10", "id", 1, true, false, Long.MAX_VALUE),
        rows.autoIncrement().orElseThrow());
    assertEquals(List.of("a", "id"), rows.columns());
    assertEquals(1, rows.clientCells());
    assertEquals("?0,default", patterns(rows));
    assertEquals(List.of(1), byKey(rows).cells());
    assertEquals("INSERT INTO <place>.`t` (`a`,`id`) VALUES ", TemplateTexts.of(rows.head()));
  }

  @Test
  void autoIncrementGiven() {
    InsertRows rows = plan("INSERT INTO t VALUES (NULL,1,DEFAULT)");
    assertEquals(
        new AutoIncrement("auto:10", "id", 0, false, false, Long.MAX_VALUE),
        rows.autoIncrement().orElseThrow());
    assertEquals("?0,?1,default", patterns(rows));
    assertEquals(List.of("id", "a", "g"), rows.columns());
  }

  @Test
  void missingKeyColumnsStandBeforeTheAutoIncrement() {
    InsertRows rows = plan("INSERT INTO h () VALUES (),()");
    assertEquals(List.of("k", "id"), rows.columns());
    assertEquals(0, rows.clientCells());
    assertEquals(List.of(0), byKey(rows).cells());
    assertEquals(1, rows.autoIncrement().orElseThrow().cell());
    assertEquals("default,default", patterns(rows));
    assertEquals(List.of("x", "w", "d"), plan("INSERT INTO o (x) VALUES (1)").columns());
  }

  @Test
  void otherPlacements() {
    assertEquals(
        2, ((Placement.AnyOf) plan("INSERT INTO n VALUES (1)").placement()).places().size());
    InsertRows spread = plan("INSERT INTO n VALUES (1)");
    assertEquals(List.of("a"), spread.columns());
    assertTrue(spread.autoIncrement().isEmpty());
    assertEquals(
        1, ((Placement.AnyOf) plan("INSERT INTO s VALUES (1)").placement()).places().size());
    assertEquals(
        new Placement.EveryDn(new PhysicalSchema("shop_b")),
        plan("INSERT INTO b VALUES (1)").placement());
  }

  @Test
  void replaceAndModifiers() {
    assertEquals(
        "REPLACE LOW_PRIORITY INTO <place>.`o` (`w`,`d`,`x`) VALUES ",
        TemplateTexts.of(plan("replace LOW_PRIORITY o VALUE (1,2,3)").head()));
    assertEquals(
        "INSERT IGNORE INTO <place>.`o` (`w`,`d`,`x`) VALUES ",
        TemplateTexts.of(plan("INSERT IGNORE INTO o VALUES ROW(1,2,3), ROW(4,5,6)").head()));
  }

  @Test
  void verbatimOnlyWhereTheTextIsRight() {
    assertTrue(plan("INSERT INTO `o` VALUES (1,2,UUID())").verbatim());
    assertFalse(plan("INSERT INTO shop.o VALUES (1,2,3)").verbatim());
    assertFalse(plan("INSERT INTO o (shop.o.w,d) VALUES (1,2)").verbatim());
    assertTrue(plan("INSERT INTO o (o.w,d) VALUES (1,2)").verbatim());
    InsertRows session = plan("INSERT INTO o VALUES (1,LAST_INSERT_ID(),@x)");
    assertFalse(session.verbatim());
    assertEquals("?0,(<LAST_INSERT_ID>),(<@x>)", patterns(session));
    InsertRows tail =
        plan("INSERT INTO o VALUES (1,2,3) ON DUPLICATE KEY UPDATE x = shop.o.x+ 1, o.x=@y");
    assertFalse(tail.verbatim());
    assertEquals(
        " ON DUPLICATE KEY UPDATE x = <place>.o.x+ <?3>,o.x=<@y>", TemplateTexts.of(tail.tail()));
  }

  @Test
  void rowAlias() {
    InsertRows rows =
        plan("INSERT INTO o VALUES (1,2,3) AS new(p,q,r) ON DUPLICATE KEY UPDATE x=r, w=p");
    assertEquals(" AS new(p,q,r) ON DUPLICATE KEY UPDATE x=r,w=p", TemplateTexts.of(rows.tail()));
    assertEquals(
        " AS new(p,`__alrai_added_0`) ON DUPLICATE KEY UPDATE a=p",
        TemplateTexts.of(
            plan("INSERT INTO t (a) VALUES (1) AS new(p) ON DUPLICATE KEY UPDATE a=p").tail()));
    assertEquals(
        " AS new ON DUPLICATE KEY UPDATE a=new.a",
        TemplateTexts.of(
            plan("INSERT INTO t SET a=5 AS new ON DUPLICATE KEY UPDATE a=new.a").tail()));
  }

  @Test
  void keysMayNotChange() {
    assertError(1235, "INSERT INTO o VALUES (1,2,3) ON DUPLICATE KEY UPDATE w=5");
    assertError(1235, "INSERT INTO o VALUES (1,2,3) AS n(p,q,r) ON DUPLICATE KEY UPDATE w=q");
    assertError(1235, "INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE id=id+1");
    plan("INSERT INTO o VALUES (1,2,3) ON DUPLICATE KEY UPDATE w=w, d=VALUES(d)");
    plan("INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE id=LAST_INSERT_ID(id)");
    plan("INSERT INTO t (id,a) VALUES (1,2) AS n ON DUPLICATE KEY UPDATE id=n.id");
  }

  @Test
  void names() {
    assertError(1046, "INSERT INTO o VALUES (1,2,3)", NOWHERE, "No database selected");
    assertError(1049, "INSERT INTO nodb.o VALUES (1)", SHOP, "Unknown database 'nodb'");
    assertError(1146, "INSERT INTO nope VALUES (1)", SHOP, "Table 'shop.nope' doesn't exist");
    assertError(
        1054, "INSERT INTO o (w,zz) VALUES (1,2)", SHOP, "Unknown column 'zz' in 'field list'");
    assertError(
        1054, "INSERT INTO o (q.w) VALUES (1)", SHOP, "Unknown column 'q.w' in 'field list'");
    assertError(1054, "INSERT INTO o SET zz=1", SHOP, "Unknown column 'zz' in 'field list'");
    assertError(
        1054,
        "INSERT INTO n (a,__alrai_id) VALUES (1,2)",
        SHOP,
        "Unknown column '__alrai_id' in 'field list'");
    assertError(
        1054,
        "INSERT INTO o VALUES (1,2,3) ON DUPLICATE KEY UPDATE zz=1",
        SHOP,
        "Unknown column 'zz' in 'field list'");
    assertError(1110, "INSERT INTO o (w,W) VALUES (1,2)", SHOP, "Column 'W' specified twice");
    assertError(1044, "INSERT INTO mysql.user VALUES (1)");
  }

  @Test
  void counts() {
    String sentence = "Column count doesn't match value count at row ";
    assertError(1136, "INSERT INTO o VALUES (1)", SHOP, sentence + 1);
    assertError(1136, "INSERT INTO o (w,d) VALUES (1,2),(3)", SHOP, sentence + 2);
    assertError(1136, "INSERT INTO o VALUES (1,2,3),()", SHOP, sentence + 2);
    assertError(1136, "INSERT INTO o (w) VALUES ()", SHOP, sentence + 1);
  }

  @Test
  void syntax() {
    assertSyntax("INSERT INTO o VALUES (1,'x',) x", ") x");
    assertSyntax("INSERT INTO o VALUES (1,2,3) foo", "foo");
    assertSyntax("INSERT INTO o VALUES (1,2,3),", "");
    assertSyntax("INSERT INTO o (w,) VALUES (1)", ") VALUES (1)");
    assertSyntax("INSERT INTO o (w) SET w=1", "SET w=1");
    assertSyntax("INSERT INTO o", "");
    assertSyntax(
        "REPLACE INTO o VALUES (1,2,3) ON DUPLICATE KEY UPDATE x=1", "ON DUPLICATE KEY UPDATE x=1");
    assertError(1235, "INSERT INTO o PARTITION (p0) VALUES (1,2,3)");
  }

  @Test
  void queriesAreLeftToOthers() {
    for (String sql :
        List.of(
            "INSERT INTO o SELECT * FROM o",
            "INSERT INTO o (w,d) (SELECT 1,2)",
            "INSERT INTO o (SELECT 1,2,3)",
            "INSERT INTO o TABLE o",
            "INSERT INTO o WITH c AS (SELECT 1) SELECT * FROM c",
            "INSERT INTO o VALUES (1,2,(SELECT MAX(x) FROM o))")) {
      assertTrue(InsertPlanner.plan(ShapedText.of(sql), SHOP).isEmpty(), sql);
    }
  }

  @Test
  void rowsOfAQuery() {
    InsertRows rows =
        InsertPlanner.rowsOfQuery(
            ShapedText.of(
                "INSERT INTO t (a) SELECT x FROM o WHERE d=5 ON DUPLICATE KEY UPDATE a=6"),
            SHOP);
    assertEquals("?0,default", patterns(rows));
    assertEquals(1, rows.clientCells());
    assertEquals(1, rows.slotsPerRow());
    assertEquals(" ON DUPLICATE KEY UPDATE a=<?1>", TemplateTexts.of(rows.tail()));
  }

  @Test
  void subqueriesBecomeAQuery() {
    ShapedStatement query =
        InsertPlanner.asQuery(
            ShapedText.of("INSERT INTO o (w,d,x) VALUES (1,2,(SELECT MAX(x)+7 FROM o))"), SHOP);
    assertEquals(
        "INSERT INTO `o` (`w`,`d`,`x`) SELECT ?,?,(SELECT MAX(x)+? FROM o) ", query.shape());
    assertEquals("7", query.slotText(2));
  }

  private static void assertSyntax(String sql, String near) {
    AlraiException error = assertThrows(AlraiException.class, () -> plan(sql));
    assertEquals(1064, error.errno());
    assertTrue(error.sentence().endsWith("near '" + near + "' at line 1"), error.sentence());
  }

  private static void assertError(int errno, String sql) {
    assertEquals(errno, assertThrows(AlraiException.class, () -> plan(sql)).errno());
  }

  private static void assertError(int errno, String sql, Planner.Context context, String sentence) {
    AlraiException error =
        assertThrows(AlraiException.class, () -> InsertPlanner.plan(ShapedText.of(sql), context));
    assertEquals(errno, error.errno());
    assertEquals(sentence, error.sentence());
  }

  private static InsertRows plan(String sql) {
    Plan plan = InsertPlanner.plan(ShapedText.of(sql), SHOP).orElseThrow();
    return assertInstanceOf(Plan.Insert.class, plan).rows();
  }

  private static Placement.ByKey byKey(InsertRows rows) {
    return (Placement.ByKey) rows.placement();
  }

  private static String patterns(InsertRows rows) {
    StringJoiner all = new StringJoiner("; ");
    for (RowPattern pattern : rows.patterns()) {
      StringJoiner cells = new StringJoiner(",");
      for (Cell cell : pattern.cells()) {
        cells.add(
            switch (cell) {
              case Cell.Slot slot -> "?" + slot.index();
              case Cell.Null nothing -> "null";
              case Cell.Default byDefault -> "default";
              case Cell.Expression expression -> "(" + TemplateTexts.of(expression.sql()) + ")";
            });
      }
      all.add(cells.toString());
    }
    return all.toString();
  }
}
