package io.alrai.cn.ddl.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.DdlCluster;
import io.alrai.cn.ddl.DdlExecutorTest;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are made everywhere at once, as far as their text tells where they come. */
class LikelyCopiesTest {
  private static final String TEXT = "(a int NOT NULL, b int, PRIMARY KEY (a))";

  private final List<String> texts = Collections.synchronizedList(new ArrayList<>());

  private DdlCluster told() {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.shards.refused =
        text -> {
          texts.add(text);
          return false;
        };
    return cluster;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(id INT PRIMARY KEY, b int) | INTEGER_KEY",
        "(x varchar(9), `Id` bigint unsigned NOT NULL AUTO_INCREMENT, PRIMARY KEY (iD)) | INTEGER_KEY",
        "(a int, CONSTRAINT PRIMARY KEY (a), KEY (a), CHECK (a > (1))) ENGINE=InnoDB | INTEGER_KEY",
        "(primary_ int, `PRIMARY` int PRIMARY KEY) | INTEGER_KEY",
        "(a int UNIQUE, b int PRIMARY KEY) | SINGLE",
        "(a int, b varchar(9), PRIMARY KEY (b), UNIQUE KEY u (a)) | SINGLE",
        "(a varchar(9) PRIMARY KEY) | UNKNOWN",
        "(a int, b int, PRIMARY KEY (a, b)) | UNKNOWN",
        "(a int COMMENT 'PRIMARY KEY') | UNKNOWN",
        "(a int, KEY (a)) | UNKNOWN",
        "(a int PRIMARY KEY, b varchar(9) DEFAULT ' | UNKNOWN",
        "SELECT 1 | UNKNOWN",
        "(a int PRIMARY KEY | INTEGER_KEY",
        "() | UNKNOWN",
      })
  void textsTellWhereTablesCome(String body, LikelyPlacement expected) {
    DdlSession session = new DdlSession("shop", Map.of(), "root", "%", Set.of());
    assertEquals(expected, LikelyPlacement.of(body, session));
  }

  @Test
  void allAreMadeByTheClientsText() {
    DdlCluster cluster = told();
    cluster.run("CREATE TABLE n " + TEXT);
    // a shadow on each of two DNs, and four partitions
    assertEquals(Collections.nCopies(6, "CREATE TABLE `n` " + TEXT), texts);
    cluster.checkPlaces();
  }

  @Test
  void thoseThatComeElsewhereGoAgain() {
    DdlCluster cluster = told();
    cluster.run("CREATE TABLE n (a int NOT NULL, b int, PRIMARY KEY (a), UNIQUE KEY k (a, b))");
    assertEquals(
        new Partitioning.Key(List.of("a"), 4),
        cluster.gms.catalog().table("shop", "n").orElseThrow().partitioning());
    assertTrue(texts.contains("DROP TABLE IF EXISTS `n`"));
    cluster.checkPlaces();
  }

  @Test
  void whatOnlyTheShadowTakesIsCopied() {
    DdlCluster cluster = told();
    cluster.shards.mysqlds.lastEntry().getValue().fails =
        (schema, text) -> schema.startsWith("a1_p") && text.equals("CREATE TABLE `n` " + TEXT);
    cluster.run("CREATE TABLE n " + TEXT);
    assertTrue(texts.contains("DROP TABLE IF EXISTS `n`"));
    cluster.checkPlaces();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE n (a int NOT NULL, b int, PRIMARY KEY (a), UNIQUE KEY k (b))",
        "CREATE TABLE n (a int NOT NULL, b int, PRIMARY KEY (a), UNIQUE KEY k (a, b))",
      })
  void everyCrashPoint(String sql) {
    new DdlExecutorTest().everyCrashPoint(sql);
  }

  /** As is left of two CREATE TABLE of a name, when the CN of the one that has waited dies. */
  @ParameterizedTest
  @EnumSource(
      value = DdlJob.State.class,
      names = {"RUNNING", "ROLLING_BACK"})
  void theTableOfAnotherJobStays(DdlJob.State state) {
    DdlCluster cluster = DdlExecutorTest.shop();
    String before = cluster.logicalState();
    Table there = cluster.gms.catalog().table("shop", "u").orElseThrow();
    cluster.gms.submit(
        new CatalogCommand.PutJob(
            new DdlJob(
                100_000,
                "shop",
                Set.of(new Target("shop", "u")),
                "CREATE TABLE u (id int NOT NULL, PRIMARY KEY (id))",
                "CREATE_TABLE",
                state,
                new NodeId("cn-2"),
                Map.of("group", String.valueOf(there.tableGroupId())),
                "")));
    cluster.recover("cn-1");
    assertEquals(before, cluster.logicalState());
    cluster.checkPlaces();
  }
}
