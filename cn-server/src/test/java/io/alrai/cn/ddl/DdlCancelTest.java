package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.job.JobAtWork;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.job.ShownSteps;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DdlCancelTest {
  private static final String CREATE = "CREATE TABLE t (id int NOT NULL, PRIMARY KEY (id))";

  private final DdlCluster cluster = new DdlCluster(2);
  private final CompletableFuture<Integer> errno = new CompletableFuture<>();
  private final CompletableFuture<Boolean> interruptedBehind = new CompletableFuture<>();

  @BeforeEach
  void prepare() {
    cluster.run("CREATE DATABASE shop DEFAULT PARTITIONS 4");
    cluster.parallel = Thread::startVirtualThread;
  }

  private Thread runs(String sql) {
    return Thread.startVirtualThread(() -> {
      try {
        cluster.run(sql);
        errno.complete(0);
      } catch (AlraiException e) {
        errno.complete(e.errno());
      }
      interruptedBehind.complete(Thread.currentThread().isInterrupted());
    });
  }

  private DdlJob last() {
    return cluster.gms.catalog().jobs().values().stream()
        .max((a, b) -> Long.compare(a.id(), b.id()))
        .orElseThrow();
  }

  private int awaitErrno() throws InterruptedException {
    try {
      return errno.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private void hangsInTheSecondPartition() {
    cluster.shards.hanging = sql -> sql.startsWith("CREATE TABLE") && hangs();
  }

  private boolean hangs() {
    return cluster.shards.mysqlds.values().stream()
        .anyMatch(mysqld -> mysqld.schemas.values().stream().anyMatch(all -> all.containsKey("t")));
  }

  /** The interrupt reaches the threads of the DNs, and what was done is undone after it. */
  @Test
  void aKilledJobIsRolledBack() throws InterruptedException {
    hangsInTheSecondPartition();
    Thread session = runs(CREATE);
    cluster.shards.awaitHung();
    session.interrupt();
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), awaitErrno());
    assertEquals(DdlJob.State.FAILED, last().state());
    cluster.checkPlaces();
    assertTrue(interruptedBehind.join(), "who runs the statement must know of it still");
    cluster.shards.hanging = sql -> false;
    cluster.run(CREATE);
    cluster.checkPlaces();
  }

  @Test
  void whatAnotherCnCancelsIsRolledBack() throws InterruptedException {
    hangsInTheSecondPartition();
    runs(CREATE);
    cluster.shards.awaitHung();
    cluster.gms.submit(new CatalogCommand.CancelJob(last().id(), "not wanted"));
    cluster.jobs.look(cluster.gms.catalog());
    cluster.jobs.look(cluster.gms.catalog());
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), awaitErrno());
    assertEquals(DdlJob.State.FAILED, last().state());
    assertEquals("not wanted", last().error());
    cluster.checkPlaces();
  }

  @Test
  void whatIsCancelledWhileItWaitsForADnIsRolledBack() {
    cluster.shards.breakAfter(1);
    cluster.pause =
        () -> {
          cluster.gms.submit(new CatalogCommand.CancelJob(last().id(), "not wanted"));
          throw new InterruptedException("cancelled");
        };
    AlraiException failure = assertThrows(AlraiException.class, () -> cluster.run(CREATE));
    assertTrue(Thread.interrupted());
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), failure.errno());
    assertEquals(DdlJob.State.FAILED, last().state());
    cluster.checkPlaces();
  }

  /** A step back that hangs is ended, and tried again by the recovery. */
  @Test
  void killedTwiceItIsRolledBackByTheRecovery() throws InterruptedException {
    CompletableFuture<Boolean> dropping = new CompletableFuture<>();
    cluster.shards.hanging =
        sql -> {
          if (sql.startsWith("DROP")) {
            dropping.complete(true);
            return true;
          }
          return sql.startsWith("CREATE TABLE") && hangs();
        };
    Thread session = runs(CREATE);
    cluster.shards.awaitHung();
    session.interrupt();
    dropping.join();
    session.interrupt();
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), awaitErrno());
    assertEquals(DdlJob.State.ROLLING_BACK, last().state());
    interruptedBehind.join();
    cluster.shards.hanging = sql -> false;
    assertEquals(1, cluster.recovery("cn-1").runOnce());
    assertEquals(DdlJob.State.FAILED, last().state());
    cluster.checkPlaces();
  }

  @Test
  void aStepCanBeSeenAndIsToldWhenItTakesLong() throws InterruptedException {
    hangsInTheSecondPartition();
    Thread session = runs(CREATE);
    cluster.shards.awaitHung();
    JobAtWork work = cluster.jobs.find(last().id()).orElseThrow();
    assertTrue(
        work.steps().stream().anyMatch(step -> step.what().startsWith("CREATE TABLE")),
        () -> work.steps().toString());
    assertTrue(work.steps().getFirst().where().startsWith("dn-"));
    cluster.jobs.look(cluster.gms.catalog());
    assertEquals(0, cluster.slowSteps.get());
    JobsAtWork later = new JobsAtWork(() -> 0, () -> 7_500, () -> {});
    assertEquals(7.5, later.oldestSeconds(cluster.gms.catalog()));
    cluster.nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
    cluster.jobs.look(cluster.gms.catalog());
    int told = cluster.slowSteps.get();
    assertTrue(told > 0);
    cluster.jobs.look(cluster.gms.catalog());
    assertEquals(told, cluster.slowSteps.get());
    session.interrupt();
    awaitErrno();
    interruptedBehind.join();
    assertEquals(List.of(), List.copyOf(cluster.jobs.find(last().id()).stream().toList()));
  }

  /** What cannot be undone by what it is keeps nothing locked for ever. */
  @Test
  void aRollbackThatIsAlwaysRefusedEnds() {
    cluster.shards.refused =
        sql -> sql.startsWith("DROP") || sql.startsWith("CREATE TABLE") && hangs();
    assertThrows(AlraiException.class, () -> cluster.run(CREATE));
    assertEquals(DdlJob.State.ROLLING_BACK, last().state());
    DdlRecovery recovery = cluster.recovery("cn-1");
    for (int i = 0; i < Abandoning.MOST; i++) {
      assertTrue(last().open());
      recovery.runOnce();
    }
    assertFalse(last().open());
    cluster.shards.refused = sql -> false;
    cluster.run("DROP DATABASE shop");
  }

  /** It says why, is logged once, is tried less and less often, and can be given up. */
  @Test
  void whatFailsToGoForwardCanBeSeenAndGivenUp() {
    cluster.run(CREATE);
    AtomicInteger drops = new AtomicInteger();
    cluster.shards.refused = sql -> sql.startsWith("DROP TABLE") && drops.getAndIncrement() > 0;
    assertThrows(AlraiException.class, () -> cluster.run("DROP TABLE t"));
    assertTrue(last().open() && last().onlyForward(), last().toString());
    assertFalse(last().error().isEmpty());
    AtomicLong nanos = new AtomicLong();
    DdlRecovery recovery = cluster.recovery("cn-1", nanos::get);
    long before = cluster.shards.refusals.get();
    int tried = 0;
    for (int second = 0; second < 120; second++) {
      recovery.runInBackground();
      recovery.awaitIdle();
      long now = cluster.shards.refusals.get();
      tried += now > before ? 1 : 0;
      before = now;
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertTrue(tried >= 4 && tried <= 7, "tried " + tried + " times");
    cluster.gms.submit(new CatalogCommand.CancelJob(last().id(), "enough"));
    assertEquals(DdlJob.State.FAILED, last().state());
    cluster.shards.refused = sql -> false;
    recovery.runOnce();
    cluster.run("DROP DATABASE shop");
  }

  @Test
  void otherCnsSeeWhatAJobWaitsFor() throws InterruptedException {
    hangsInTheSecondPartition();
    Thread session = runs(CREATE);
    cluster.shards.awaitHung();
    ShownSteps shown = new ShownSteps(cluster.gms, cluster.jobs, new NodeId("cn-1"), Runnable::run);
    shown.look(cluster.gms.catalog());
    assertEquals(null, last().progress().get(DdlJob.SHOWN_STEP), "not before it takes long");
    cluster.nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
    shown.look(cluster.gms.catalog());
    assertTrue(last().progress().get(DdlJob.SHOWN_STEP).startsWith("CREATE TABLE"));
    assertTrue(last().progress().get(DdlJob.SHOWN_PLACES).startsWith("dn-"));
    long version = cluster.gms.catalog().version();
    cluster.nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
    shown.look(cluster.gms.catalog());
    assertEquals(version, cluster.gms.catalog().version(), "written once");
    session.interrupt();
    awaitErrno();
    interruptedBehind.join();
    assertEquals(Map.of(), last().progress());
  }

  /** One job that hangs does not keep the recovery from the others. */
  @Test
  void eachJobIsTakenUpByAThreadOfItsOwn() throws InterruptedException {
    cluster.run("CREATE DATABASE other");
    for (String schema : List.of("shop", "other")) {
      cluster.gms.submit(
          new CatalogCommand.PutJob(
              new DdlJob(
                  schema.equals("shop") ? 1_000 : 1_001,
                  schema,
                  Set.of(new DdlJob.Target(schema, "t")),
                  CREATE,
                  "CREATE_TABLE",
                  DdlJob.State.RUNNING,
                  new NodeId("cn-1"),
                  Map.of(),
                  "")));
    }
    Thread[] hung = new Thread[1];
    cluster.shards.hanging =
        sql -> {
          boolean first = Thread.currentThread().getName().equals("ddl-job-1000");
          if (first) {
            hung[0] = Thread.currentThread();
          }
          return first;
        };
    DdlRecovery recovery = cluster.recovery("cn-1");
    recovery.runInBackground();
    cluster.shards.awaitHung();
    while (cluster.gms.catalog().jobs().get(1_001L).open()) {
      Thread.onSpinWait();
      recovery.runInBackground();
    }
    assertTrue(cluster.gms.catalog().jobs().get(1_000L).open());
    cluster.shards.hanging = sql -> false;
    hung[0].interrupt();
  }
}
