package io.alrai.optimizer.route.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.RowDependency;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowDependenciesTest {
  private static final Catalog CATALOG = catalog();

  /** Lines of orders, and names, both with a key of two columns. */
  private static Catalog catalog() {
    Table lines =
        table("line", 1, new Partitioning.Key(List.of("o"), 2), List.of("o", "l"), MysqlType.INT);
    Table names = table("names", 2, new Partitioning.Single(), List.of("o"), MysqlType.VARCHAR);
    Table everywhere =
        table("everywhere", 3, new Partitioning.Broadcast(), List.of("o"), MysqlType.BIGINT);
    TableGroup parts =
        new TableGroup(
            1,
            "tg1",
            "x",
            List.of(
                new PartitionGroup(0, new PhysicalSchema("shop_p00000"), new DnId("dn-0")),
                new PartitionGroup(1, new PhysicalSchema("shop_p00001"), new DnId("dn-1"))));
    TableGroup single =
        new TableGroup(
            2,
            "tg2",
            "s",
            List.of(new PartitionGroup(0, new PhysicalSchema("shop_p00002"), new DnId("dn-0"))));
    TableGroup broadcast =
        new TableGroup(
            3,
            "tg3",
            "b",
            List.of(new PartitionGroup(0, new PhysicalSchema("shop_b"), new DnId("dn-0"))));
    Schema shop =
        new Schema(
            "shop",
            "utf8mb4",
            "utf8mb4_0900_ai_ci",
            2,
            Map.of("line", lines, "names", names, "everywhere", everywhere),
            Map.of(1L, parts, 2L, single, 3L, broadcast),
            Map.of());
    return new Catalog(1, Map.of("shop", shop), List.of(), List.of(), Map.of(), Map.of(), Map.of());
  }

  private static Table table(
      String name, long group, Partitioning how, List<String> primaryKey, MysqlType type) {
    return new Table(
        10 + group,
        "shop",
        name,
        List.of(column("o", type), column("l", MysqlType.INT), column("v", MysqlType.INT)),
        primaryKey,
        List.of(),
        false,
        how,
        group,
        List.of(),
        List.of(),
        false,
        false);
  }

  private static Column column(String name, MysqlType type) {
    return new Column(name, type, false, 0, 0, "", "", true, false, false, false);
  }

  private static Optional<RowDependency> read(String sql) {
    Planner.Context context = new Planner.Context(CATALOG, "shop", false, false);
    Work work = new AlraiPlanner(AsciiCollations.NONE).plan(ShapedText.of(sql), context).work();
    return ((Plan.Select) ((Work.Data) work).plan()).rowDependency();
  }

  @Test
  void theColumnsOfTheKeyThatAreFixedTellTheRows() {
    assertEquals(
        Optional.of(new RowDependency("", "line", List.of("o", "l"), List.of(1, 0))),
        read("SELECT v FROM line WHERE l = 5 AND o = 7"));
    assertEquals(
        Optional.of(new RowDependency("", "line", List.of("o"), List.of(0))),
        read("SELECT * FROM line x WHERE x.o = 7 AND (v > 3 OR v IS NULL) ORDER BY l LIMIT 2"));
    assertEquals(
        Optional.of(new RowDependency("", "line", List.of("l"), List.of(0))),
        read("SELECT v FROM line WHERE l = 5 AND o IN (7, 8)"));
    assertEquals(
        Optional.of(new RowDependency("", "names", List.of(), List.of())),
        read("SELECT COUNT(*), MAX(v) FROM names WHERE o = 'x' GROUP BY l HAVING MAX(v) > 1"));
    assertEquals(
        Optional.of(new RowDependency("shop_b", "everywhere", List.of("o"), List.of(1))),
        read("SELECT 1 AS a FROM everywhere WHERE o = 3 LIMIT 1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT v FROM line WHERE o = 7 AND l = 1 FOR UPDATE",
        "SELECT v FROM line WHERE o = 7 AND l = 1 FOR SHARE",
        "SELECT NOW(), v FROM line WHERE o = 7 AND l = 1",
        "SELECT v FROM line WHERE o = 7 AND l = @x",
        "SELECT @@sql_mode FROM line WHERE o = 7 AND l = 1",
        "SELECT v + RAND() FROM line WHERE o = 7 AND l = 1",
        "SELECT v FROM line WHERE o = 7 AND l = (SELECT 1)",
        "SELECT v FROM line WHERE o = 7 AND EXISTS (SELECT 1 FROM names)",
        "SELECT MATCH (v) AGAINST ('x') FROM names",
        "SELECT ROW_NUMBER() OVER () FROM names",
        "SELECT MAX(v) OVER () FROM names",
        "SELECT a.v FROM line a JOIN line b USING (o, l) WHERE a.o = 7",
        "SELECT v FROM (SELECT v FROM line WHERE o = 7) d",
        "WITH d AS (SELECT 1) SELECT v FROM line WHERE o = 7",
        "SELECT v FROM line WHERE o = 7 UNION SELECT 1",
        "SELECT SQL_CALC_FOUND_ROWS v FROM line WHERE o = 7",
        "SELECT 1"
      })
  void othersDependOnMore(String sql) {
    assertEquals(Optional.empty(), read(sql));
  }
}
