package io.alrai.optimizer.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Joins within joins, whose conditions may follow all of them. */
class NestedJoinsTest {
  private static final int DEPTH = 64;

  private static TableRef.Join join(String tables) {
    Statement statement = StatementParser.parse("SELECT 1 FROM " + tables, false, false);
    Query query = assertInstanceOf(Statement.Select.class, statement).query();
    Query.Block block = assertInstanceOf(Query.Block.class, query.body());
    return assertInstanceOf(TableRef.Join.class, block.from().getFirst());
  }

  @Test
  void theLastConditionIsOfTheFirstJoin() {
    TableRef.Join outer = join("a JOIN b JOIN c ON x ON y");
    assertEquals("y", name(outer));
    TableRef.Join inner = assertInstanceOf(TableRef.Join.class, outer.right());
    assertEquals("x", name(inner));
  }

  @Test
  void joinsWithFewerConditionsAreReadFromTheLeft() {
    TableRef.Join outer = join("a JOIN b JOIN c ON x");
    assertEquals("x", name(outer));
    assertInstanceOf(TableRef.Join.class, outer.left());
  }

  private static String name(TableRef.Join join) {
    return assertInstanceOf(Expr.Name.class, join.on().orElseThrow()).column();
  }

  @Test
  void depthTakesNoPowers() {
    StringBuilder groups = new StringBuilder("t");
    StringBuilder queries = new StringBuilder("1");
    for (int i = 0; i < DEPTH; i++) {
      groups.insert(0, "a JOIN b JOIN (").append(") ON x ON y");
      queries.insert(0, "(SELECT 1 FROM a JOIN b JOIN c ON ").append(" ON y)");
    }
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> join(groups.toString()));
    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> join("a JOIN b JOIN c ON " + queries + " ON y"));
  }
}
