package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** ALTER TABLE of the partitions that a mysqld has made itself. */
class AlterPartitionsTest {
  private static final String TRUNCATE = "ALTER TABLE one TRUNCATE PARTITION p0";

  private final DdlCluster cluster = DdlExecutorTest.shop();

  private DdlJob lastJob() {
    Map<Long, DdlJob> jobs = cluster.gms.catalog().jobs();
    return jobs.get(Collections.max(jobs.keySet()));
  }

  /** The rows are gone: there is no way back. */
  @Test
  void onceThePlaceHasDoneItTheJobOnlyGoesForward() {
    FakeMysqld last = cluster.shards.mysqlds.lastEntry().getValue();
    last.fails = (schema, sql) -> schema.equals("shop") && sql.contains("TRUNCATE PARTITION");
    AlraiException failure = assertThrows(AlraiException.class, () -> cluster.run(TRUNCATE));
    assertTrue(failure.sentence().contains("goes on by itself"), failure.sentence());
    assertEquals(DdlJob.State.RUNNING, lastJob().state());
    last.fails = (schema, sql) -> false;
    cluster.recover("cn-1");
    assertEquals(DdlJob.State.DONE, lastJob().state());
    cluster.checkPlaces();
  }

  /** It is tried again for ten seconds, five times a second; a pause is a fiftieth of one. */
  @Test
  void aDnThatDoesNotComeBackIsNotWaitedForLong() {
    AtomicInteger pauses = new AtomicInteger();
    cluster.pause =
        () -> {
          pauses.incrementAndGet();
          cluster.nanos.addAndGet(20_000_000);
        };
    cluster.shards.mysqlds.lastEntry().getValue().lost = true;
    AlraiException failure = assertThrows(AlraiException.class, () -> cluster.run(TRUNCATE));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), failure.errno());
    assertTrue(failure.sentence().contains("goes on by itself"), failure.sentence());
    assertEquals(500, pauses.get());
    assertEquals(DdlJob.State.RUNNING, lastJob().state());
    cluster.shards.mysqlds.lastEntry().getValue().lost = false;
    cluster.recover("cn-1");
    assertEquals(DdlJob.State.DONE, lastJob().state());
  }

  @Test
  void aDnThatHasBeenWaitedForIsNotWaitedForAgain() {
    FakeMysqld last = cluster.shards.mysqlds.lastEntry().getValue();
    AtomicInteger asked = new AtomicInteger();
    last.fails =
        (schema, sql) -> {
          asked.incrementAndGet();
          cluster.nanos.addAndGet(60_000_000_000L);
          throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "silent for 60 s");
        };
    assertThrows(AlraiException.class, () -> cluster.run(TRUNCATE));
    assertEquals(1, asked.get());
  }

  /** That one has ended it, and clients have written: nothing of it may be undone or done again. */
  @Test
  void whatAnotherCnHasTakenOverIsNotTriedAgain() {
    int rows = rowsOf("t");
    cluster.pause = () -> cluster.recover("cn-2");
    for (String sql : List.of("CREATE TABLE n (a int)", "ALTER TABLE t SINGLE", TRUNCATE)) {
      cluster.shards.breakAfter(1);
      AlraiException failure = assertThrows(AlraiException.class, () -> cluster.run(sql));
      assertEquals(ErrorCode.CR_SERVER_LOST.errno(), failure.errno());
      assertEquals(DdlJob.State.DONE, lastJob().state());
      cluster.checkPlaces();
    }
    assertTrue(cluster.gms.catalog().table("shop", "n").isPresent());
    assertEquals(rows, rowsOf("t"));
  }

  private int rowsOf(String table) {
    Catalog catalog = cluster.gms.catalog();
    return cluster.rows(catalog, catalog.table("shop", table).orElseThrow());
  }

  /** It says who had the job then; this CN's lease may have ended since. */
  @Test
  void anOldAnswerOfTheGmsIsNotTaken() {
    AtomicInteger truncated = new AtomicInteger();
    cluster.shards.refused =
        sql -> {
          truncated.addAndGet(sql.contains("TRUNCATE PARTITION") ? 1 : 0);
          return false;
        };
    cluster.shards.breakAfter(1);
    cluster.pause = () -> {};
    cluster.gms.onChange(catalog -> cluster.nanos.addAndGet(2_000_000_000L));
    AlraiException failure = assertThrows(AlraiException.class, () -> cluster.run(TRUNCATE));
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), failure.errno());
    assertEquals(1, truncated.get());
  }

  /** What the CN knows of the catalog may be old: it is not tried without the GMS' word. */
  @Test
  void withoutTheGmsNothingIsTriedAgain() {
    cluster.shards.breakAfter(1);
    cluster.pause = () -> cluster.crashes.silent(true);
    AlraiException failure = assertThrows(AlraiException.class, () -> cluster.run(TRUNCATE));
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), failure.errno());
    cluster.crashes.silent(false);
    cluster.recover("cn-1");
    assertEquals(DdlJob.State.DONE, lastJob().state());
    cluster.checkPlaces();
  }

  @Test
  void whatFailsAtThePlaceChangesNothing() {
    String before = cluster.logicalState();
    cluster
        .shards
        .mysqlds
        .values()
        .forEach(each ->
            each.fails =
                (schema, sql) -> schema.startsWith("a1_p") && sql.contains("TRUNCATE PARTITION"));
    assertThrows(AlraiException.class, () -> cluster.run(TRUNCATE));
    assertEquals(DdlJob.State.FAILED, lastJob().state());
    assertEquals(1, cluster.jobs.failures().sum());
    assertEquals(before, cluster.logicalState());
    cluster.checkPlaces();
  }
}
