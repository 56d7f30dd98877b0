package io.alrai.cn.ddl.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.cn.ddl.DdlCluster;
import io.alrai.cn.ddl.DdlExecutorTest;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.CheckView;
import io.alrai.optimizer.api.inspect.ViewTarget;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CheckViewKeeperTest {
  private final DdlCluster cluster = DdlExecutorTest.shop();
  private final CheckView check =
      new CheckView(
          "shop",
          "seen",
          ViewTarget.checkPrefix("shop", "seen") + "1",
          "shop",
          "t",
          List.of("id"),
          "`t`.`id` > 1",
          "utf8mb4",
          "utf8mb4_0900_ai_ci");

  private long made() {
    return cluster.shards.dns().stream()
        .mapToLong(dn -> cluster.shards.query(dn, CheckViewKeeper.named(CheckView.PREFIX)).size())
        .sum();
  }

  private void make() {
    new CheckViewKeeper(cluster.shards, cluster.gms::catalog).make(List.of(check));
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
    CheckViewKeeper checks = new CheckViewKeeper(cluster.shards, cluster.gms::catalog);
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
        "CHECK OPTION failed 'shop.seen'", CheckViewKeeper.told(List.of(check), error).sentence());
    assertSame(error, CheckViewKeeper.told(List.of(), error));
  }
}
