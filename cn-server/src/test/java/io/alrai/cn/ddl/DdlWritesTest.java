package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How often jobs have the GMS write its log, and what they can be taken up by with so little. */
class DdlWritesTest {
  private static DdlCluster shop(int dataNodes) {
    DdlCluster cluster = new DdlCluster(dataNodes);
    cluster.run("CREATE DATABASE shop DEFAULT PARTITIONS 4");
    cluster.run("CREATE TABLE t (id int NOT NULL, v varchar(9), PRIMARY KEY (id))");
    return cluster;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | CREATE DATABASE other",
        "2 | CREATE TABLE n (id int NOT NULL, PRIMARY KEY (id))",
        "3 | ALTER TABLE t ADD COLUMN n int",
        "3 | CREATE INDEX k ON t (v)",
        "3 | TRUNCATE TABLE t",
        "3 | DROP TABLE t",
        "3 | DROP DATABASE shop",
      })
  void aJobIsFewWrites(int writes, String sql) {
    DdlCluster cluster = shop(2);
    int before = cluster.crashes.writes();
    cluster.run(sql);
    assertEquals(writes, cluster.crashes.writes() - before);
  }

  /** There is no other shadow that tells what was there before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t ADD COLUMN n int",
        "CREATE UNIQUE INDEX k ON t (id, v)",
        "ALTER TABLE t DROP COLUMN v",
      })
  void everyCrashPointOfOneDataNode(String sql) {
    DdlCluster.everyCrashPoint(() -> shop(1), sql);
  }

  private static final String[] STATEMENTS = {
    "CREATE DATABASE other",
    "CREATE TABLE n (id int NOT NULL, PRIMARY KEY (id))",
    "ALTER TABLE t ADD COLUMN n int",
    "ALTER TABLE t DROP COLUMN v",
    "ALTER TABLE t RENAME TO n",
    "ALTER TABLE t SINGLE",
    "CREATE VIEW seen AS SELECT id FROM t",
    "TRUNCATE TABLE t",
    "DROP TABLE t",
    "DROP DATABASE shop",
  };

  static Stream<Arguments> lostAnswers() {
    return Arrays.stream(STATEMENTS)
        .flatMap(sql ->
            Stream.of(
                Arguments.of(sql, AlraiException.interruption()),
                Arguments.of(
                    sql,
                    new AlraiException(
                        ErrorCode.ALRAI_NODE_UNAVAILABLE, "no leader of the GMS answers"))));
  }

  /** What was asked for is done, and the CN does not know it: KILL, or a GMS that is away. */
  @ParameterizedTest
  @MethodSource("lostAnswers")
  void everyLostAnswer(String sql, AlraiException by) {
    DdlCluster.everyLostAnswer(() -> shop(2), sql, by);
  }

  /** Its CN died before it saw that another job had been faster. */
  @Test
  void aDatabaseThatHasComeMeanwhileStays() {
    DdlCluster cluster = shop(2);
    String before = cluster.logicalState();
    DdlJob late =
        new DdlJob(
            1000,
            "",
            Set.of(DdlJob.Target.of("shop")),
            "CREATE DATABASE shop",
            "CREATE_DATABASE",
            DdlJob.State.RUNNING,
            new NodeId("cn-1"),
            Map.of("made", "a9"),
            "");
    cluster.gms.submit(new CatalogCommand.PutJob(late));
    cluster.recover("cn-2");
    cluster.checkPlaces();
    assertEquals(before, cluster.logicalState());
    Map<Long, DdlJob> jobs = cluster.gms.catalog().jobs();
    assertEquals(DdlJob.State.FAILED, jobs.get(Collections.max(jobs.keySet())).state());
  }

  @Test
  void aDatabaseHasTheDefaultsOfTheFirstMysqldEverywhere() {
    DdlCluster cluster = shop(2);
    FakeMysqld last = cluster.shards.mysqlds.lastEntry().getValue();
    last.collations.put("other", "utf8mb4_bin"); // as set in its configuration
    cluster.run("CREATE DATABASE other");
    assertEquals("utf8mb4_0900_ai_ci", last.collations.get("other"));
    cluster.checkPlaces();
  }
}
