package io.alrai.cn.ddl.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.DdlCluster;
import io.alrai.cn.ddl.DdlExecutorTest;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.DdlJob.Target;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether others refer to a table decides which shadow has a say, and does not change meanwhile.
 */
class ReferredTablesTest {
  private static final String CHILD =
      "CREATE TABLE child (id int NOT NULL, one_id int, PRIMARY KEY (id), CONSTRAINT c FOREIGN KEY"
          + " (one_id) REFERENCES one (id))";

  private static AlraiException failure(DdlCluster cluster, String sql) {
    return assertThrows(AlraiException.class, () -> cluster.run(sql));
  }

  @Test
  void namesAreReadWhereverTheyStand() {
    DdlSession session = new DdlSession("shop", Map.of(), "root", "%", Set.of());
    assertEquals(
        Set.of(new Target("s", "a"), new Target("o", "b c"), new Target("s", "d")),
        ReferredTables.in(
            "(x int references a (id), CONSTRAINT f FOREIGN KEY (y) REFERENCES o . `b c`(id),"
                + " /* REFERENCES no */ z varchar(9) COMMENT 'REFERENCES no', `REFERENCES` int,"
                + " FOREIGN KEY (z) REFERENCES `d` (id) ON DELETE CASCADE, w int REFERENCES",
            "s",
            session));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUNCATE TABLE one", "DROP TABLE one"})
  void theShadowOfATableThatOthersReferToDecides(String sql) {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.run(CHILD);
    String before = cluster.logicalState();
    String verb = sql.substring(0, sql.indexOf(' ')) + " TABLE";
    cluster.shards.refused = text -> text.startsWith(verb);
    assertEquals(ErrorCode.ER_TOO_LONG_IDENT.errno(), failure(cluster, sql).errno());
    assertEquals(before, cluster.logicalState());
    assertTrue(cluster.gms.catalog().jobs().values().stream().noneMatch(DdlJob::open));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUNCATE TABLE one", "DROP TABLE one"})
  void othersGoToTheirPlacesAtOnce(String sql) {
    DdlCluster cluster = DdlExecutorTest.shop();
    String verb = sql.substring(0, sql.indexOf(' ')) + " TABLE";
    cluster.shards.refused = text -> text.startsWith(verb);
    assertTrue(failure(cluster, sql).sentence().contains("goes on by itself"));
    cluster.shards.refused = _ -> false;
    cluster.recover("cn-1");
    cluster.checkPlaces();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUNCATE TABLE one", "DROP TABLE u, one"})
  void whoHasATableLockedKeepsIt(String sql) {
    DdlCluster cluster = DdlExecutorTest.shop();
    String before = cluster.logicalState();
    cluster.shards.refused = text -> text.contains("`one` WHERE FALSE FOR UPDATE");
    assertEquals(ErrorCode.ER_TOO_LONG_IDENT.errno(), failure(cluster, sql).errno());
    assertEquals(before, cluster.logicalState());
    assertTrue(cluster.gms.catalog().jobs().values().stream().noneMatch(DdlJob::open));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {CHILD, "ALTER TABLE u ADD CONSTRAINT c FOREIGN KEY (id) REFERENCES one (id)"})
  void nobodyComesToReferToATableThatAJobWorksOn(String sql) {
    DdlCluster cluster = DdlExecutorTest.shop();
    cluster.gms.submit(
        new CatalogCommand.PutJob(
            new DdlJob(
                100_000,
                "shop",
                Set.of(new Target("shop", "one")),
                "DROP TABLE one",
                "DROP_TABLE",
                DdlJob.State.RUNNING,
                new NodeId("cn-2"),
                Map.of(),
                "")));
    // in these tests nobody waits for others
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), failure(cluster, sql).errno());
    assertTrue(Thread.interrupted());
    assertFalse(cluster.gms.catalog().table("shop", "child").isPresent());
  }
}
