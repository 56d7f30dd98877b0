package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.bind.CheckViews;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ViewChecksTest {
  private final DdlCluster cluster = DdlExecutorTest.shop();
  private final CheckView check = check(cluster.gms.catalog());

  private static CheckView check(Catalog catalog) {
    List<ShardPlace> places =
        catalog.places(catalog.table("shop", "t").orElseThrow()).stream()
            .map(group -> new ShardPlace(group.index(), group.physicalSchema(), group.dn()))
            .toList();
    return new CheckView(
        "shop",
        "seen",
        CheckViews.prefix("shop", "seen") + "1",
        "shop",
        "t",
        List.of("id"),
        "`t`.`id` > 1",
        "utf8mb4",
        "utf8mb4_0900_ai_ci",
        places);
  }

  private long made() {
    return cluster.shards.dns().stream()
        .mapToLong(dn -> cluster.shards.query(dn, ViewChecks.named(CheckView.PREFIX)).size())
        .sum();
  }

  private void make() {
    new ViewChecks(cluster.shards, cluster.gms::catalog).make(List.of(check));
  }

  @Test
  void theyAreAtEveryPlaceAndGoWithTheirView() {
    make();
    assertEquals(4, made());
    make();
    assertEquals(4, made());
    cluster.run("DROP VIEW seen");
    assertEquals(0, made());
  }

  @Test
  void oneCnMakesThemAgainBehindAnothersDrop() {
    ViewChecks checks = new ViewChecks(cluster.shards, cluster.gms::catalog);
    checks.make(List.of(check));
    cluster.run("DROP VIEW seen");
    cluster.run("CREATE VIEW seen AS SELECT id FROM t");
    checks.make(List.of(check));
    assertEquals(4, made());
  }

  @Test
  void clientsAreToldOfTheirView() {
    AlraiException error =
        AlraiException.fromServer(1369, "HY000", "CHECK OPTION failed 'shop." + check.name() + "'");
    assertEquals(
        "CHECK OPTION failed 'shop.seen'", ViewChecks.told(List.of(check), error).sentence());
    assertSame(error, ViewChecks.told(List.of(), error));
  }
}
