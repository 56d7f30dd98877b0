package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.ShadowGrants;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.cn.ddl.rule.PhysicalText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.client.LocalGms;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.inspect.DdlText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A GMS, fake mysqlds and CNs that come and go, with the checks that hold between jobs. */
public final class DdlCluster {
  /** More crash points than a statement has. */
  private static final int ENOUGH = 500;

  final CrashPoints crashes = new CrashPoints();
  public final LocalGms gms = new LocalGms(() -> 0);
  public final FakeShards shards;

  /** What was asked for; a test may let it fail. */
  final FakeBuilds builds = new FakeBuilds();

  public DdlCluster(int dataNodes) {
    shards = new FakeShards(dataNodes, crashes);
    shards
        .dns()
        .forEach(dn -> gms.submit(new CatalogCommand.PutDataNode(new DataNode(dn, "embedded"))));
  }

  /**
   * Lets a CN die at each point of a statement, and another one, or the same anew, take it up: all
   * is done then, or nothing.
   *
   * @param made gives clusters that are alike
   */
  static void everyCrashPoint(Supplier<DdlCluster> made, String sql) {
    DdlCluster untouched = made.get();
    String before = untouched.logicalState();
    untouched.run(sql);
    untouched.checkPlaces();
    String after = untouched.logicalState();
    for (int point = 1; point < ENOUGH; point++) {
      DdlCluster cluster = made.get();
      cluster.crashes.arm(point);
      try {
        cluster.run(sql);
        assertEquals(after, cluster.logicalState());
        assertTrue(point > 4, "no crash point was met");
        return;
      } catch (CrashPoints.Death death) {
        cluster.recover(point % 2 == 0 ? "cn-1" : "cn-2");
      }
      cluster.checkPlaces();
      String now = cluster.logicalState();
      int at = point;
      assertTrue(
          now.equals(before) || now.equals(after),
          () -> "half done after a crash at point " + at + ":\n" + now);
    }
    throw new AssertionError("the statement never ended");
  }

  /**
   * Loses each answer of the GMS in turn, though what was asked for is done: all is done after a
   * recovery, or nothing.
   *
   * @param made gives clusters that are alike
   * @param by what the CN hears instead
   */
  static void everyLostAnswer(Supplier<DdlCluster> made, String sql, AlraiException by) {
    DdlCluster untouched = made.get();
    String before = untouched.logicalState();
    untouched.run(sql);
    String after = untouched.logicalState();
    for (int write = 1; write < ENOUGH; write++) {
      DdlCluster cluster = made.get();
      cluster.pause = () -> {};
      cluster.crashes.loseAnswer(write, by);
      String error = "";
      try {
        cluster.run(sql);
      } catch (AlraiException e) {
        error = e.sentence();
      }
      if (cluster.crashes.stillLoses()) {
        return;
      }
      cluster.recover("cn-1");
      cluster.checkPlaces();
      String now = cluster.logicalState();
      int at = write;
      String heard = error;
      assertTrue(
          now.equals(after) || now.equals(before) && !heard.isEmpty(),
          () -> "half done without the answer to write " + at + ", \"" + heard + "\":\n" + now);
    }
    throw new AssertionError("the statement never ended");
  }

  /**
   * Breaks a connection after each text of a statement that a mysqld runs, so that its answer is
   * lost: the client hears of none of it.
   *
   * @param made gives clusters that are alike
   */
  static void everyLoss(Supplier<DdlCluster> made, String sql) {
    DdlCluster untouched = made.get();
    untouched.run(sql);
    String after = untouched.logicalState();
    for (int text = 1; text < ENOUGH; text++) {
      DdlCluster cluster = made.get();
      cluster.pause = () -> {};
      cluster.shards.breakAfter(text);
      cluster.run(sql);
      int lost = text;
      assertEquals(after, cluster.logicalState(), () -> "answer " + lost + " was lost");
      cluster.checkPlaces();
      if (cluster.shards.stillBreaks()) {
        return;
      }
    }
    throw new AssertionError("the statement never ended");
  }

  public DdlOutcome run(String sql) {
    return run(sql, Map.of());
  }

  public DdlOutcome run(String sql, Map<String, String> settings) {
    return executor("cn-1")
        .run(
            DdlText.parse(sql).orElseThrow(),
            new DdlSession("shop", settings, "root", "%", Set.of()));
  }

  void run(MembersStatement.AsJob statement) {
    executor("cn-1")
        .run(statement, "a change", new DdlSession("", Map.of(), "root", "%", Set.of()));
  }

  /** The jobs that cn-1 works on. */
  final AtomicLong nanos = new AtomicLong();

  final AtomicInteger slowSteps = new AtomicInteger();
  final JobsAtWork jobs = new JobsAtWork(nanos::get, () -> 0, slowSteps::incrementAndGet);

  /** Runs what is done on several DNs. */
  Executor parallel = Runnable::run;

  /** What happens while a statement waits. */
  DdlExecutor.DdlWait pause =
      () -> {
        throw new InterruptedException("nobody ends the other job");
      };

  DdlRecovery recovery(String node) {
    return new DdlRecovery(gms, executor(node), grants(), new NodeId(node));
  }

  DdlRecovery recovery(String node, LongSupplier nanos) {
    return new DdlRecovery(gms, executor(node), grants(), new NodeId(node), nanos);
  }

  private DdlExecutor executor(String node) {
    return new DdlExecutor(
        new CrashingGms(gms, crashes),
        shards,
        new NodeId(node),
        parallel,
        builds,
        sequence -> gms.reserve(sequence, 1).first(),
        node.equals("cn-1") ? jobs : new JobsAtWork(() -> 0, () -> 0, () -> {}),
        () -> pause.pause());
  }

  public ShadowGrants grants() {
    return new ShadowGrants(gms::catalog, shards);
  }

  /** Another CN looks after the jobs of the one that has died. */
  public void recover(String node) {
    crashes.disarm();
    NodeId self = new NodeId(node);
    new DdlRecovery(gms, executor(node), grants(), self).runOnce();
    assertTrue(
        gms.catalog().jobs().values().stream().noneMatch(job -> job.open()),
        () -> "open jobs: " + gms.catalog().jobs());
  }

  /** Recovers by a CN that may die as well. */
  void recoverUntilDeath(String node) {
    try {
      CrashingGms crashing = new CrashingGms(gms, crashes);
      new DdlRecovery(crashing, executor(node), grants(), new NodeId(node)).runOnce();
    } catch (CrashPoints.Death death) {
      assertTrue(crashes.dead());
    }
  }

  /** What clients can see: the catalog without numbers that are only given once. */
  public String logicalState() {
    StringBuilder state = new StringBuilder();
    Catalog catalog = gms.catalog();
    for (Schema schema : new TreeMap<>(catalog.schemas()).values()) {
      state.append(schema.name()).append(' ').append(schema.collation()).append('\n');
      state.append(new TreeMap<>(schema.views())).append('\n');
      state.append(new TreeMap<>(schema.procedures())).append('\n');
      state.append(new TreeMap<>(schema.functions())).append('\n');
      for (Table table : new TreeMap<>(schema.tables()).values()) {
        state
            .append(table.name())
            .append(table.columns())
            .append(table.uniqueKeys())
            .append(table.columnIndexes())
            .append(table.triggers())
            .append(table.partitioning())
            .append(
                shards
                    .mysqlds
                    .firstEntry()
                    .getValue()
                    .schemas
                    .get(schema.name())
                    .get(table.name())
                    .showCreate(table.name()))
            .append(rows(catalog, table))
            .append('\n');
      }
    }
    new TreeMap<>(catalog.accounts())
        .forEach((key, account) -> state.append(key).append(account.grants()).append('\n'));
    return state.toString();
  }

  int rows(Catalog catalog, Table table) {
    return Place.ofRows(catalog.tableGroup(table), shards.dns()).stream()
        .mapToInt(place -> tables(place).get(table.name()).rows)
        .sum();
  }

  TreeMap<String, FakeTable> tables(Place place) {
    return shards.mysqld(place.dn()).schemas.getOrDefault(place.schema(), new TreeMap<>());
  }

  /** Every table of the catalog is at all its places, with one definition, and no other is. */
  public void checkPlaces() {
    Catalog catalog = gms.catalog();
    Set<String> expected = new HashSet<>();
    for (Schema schema : catalog.schemas().values()) {
      for (DnId dn : shards.dns()) {
        assertTrue(shards.mysqld(dn).schemas.containsKey(schema.name()), dn + schema.name());
        assertTrue(shards.mysqld(dn).schemas.containsKey(schema.broadcastSchema().name()));
      }
      for (Table table : schema.tables().values()) {
        check(schema, table, expected);
      }
    }
    for (DnId dn : shards.dns()) {
      TreeMap<String, String> views = new TreeMap<>();
      catalog
          .schemas()
          .values()
          .forEach(schema ->
              schema
                  .views()
                  .values()
                  .forEach(view ->
                      views.put(
                          Sql.EMPTY.name(schema.name(), view.name()).text(),
                          "AS " + view.query())));
      assertEquals(views, shards.mysqld(dn).views, dn::toString);
      Set<String> routines = new HashSet<>();
      for (Schema schema : catalog.schemas().values()) {
        schema.procedures().values().stream()
            .map(each -> schema.name() + ".PROCEDURE " + each.name())
            .forEach(routines::add);
        schema.functions().values().stream()
            .map(each -> schema.name() + ".FUNCTION " + each.name())
            .forEach(routines::add);
      }
      assertEquals(routines, shards.mysqld(dn).routines.keySet(), dn::toString);
      shards
          .mysqld(dn)
          .schemas
          .forEach((name, tables) -> {
            boolean logical = catalog.schemas().containsKey(name);
            boolean owned =
                catalog.schemas().values().stream()
                    .anyMatch(schema -> Schema.isPhysical(schema.stem(), name));
            assertTrue(logical || owned, "left over: schema " + dn + "/" + name);
            tables
                .keySet()
                .forEach(table ->
                    assertTrue(
                        expected.contains(dn + "/" + name + "/" + table),
                        () -> "left over: " + dn + "/" + name + "/" + table));
          });
    }
  }

  private void check(Schema schema, Table table, Set<String> expected) {
    Place first = new Place(shards.dns().getFirst(), schema.name());
    FakeTable shadow = tables(first).get(table.name());
    assertTrue(shadow != null, () -> "no shadow of " + table.name());
    String definition = shadow.showCreate(table.name());
    List<String> triggers = table.triggers().stream().map(Trigger::name).toList();
    for (Place place : Place.shadows(schema.name(), shards.dns())) {
      expected.add(place + "/" + table.name());
      FakeTable found = tables(place).get(table.name());
      assertTrue(found != null, () -> "no " + table.name() + " at " + place);
      assertEquals(triggers, found.triggers, place::toString);
      assertEquals(definition, found.showCreate(table.name()), place::toString);
    }
    for (Place place : Place.ofRows(gms.catalog().tableGroup(table), shards.dns())) {
      expected.add(place + "/" + table.name());
      FakeTable found = tables(place).get(table.name());
      assertTrue(found != null, () -> "no " + table.name() + " at " + place);
      assertEquals(triggers, found.triggers, place::toString);
      assertEquals(
          TableText.of(definition),
          PhysicalText.logical(found.showCreate(table.name())),
          place::toString);
    }
  }
}
