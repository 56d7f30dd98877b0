package io.alrai.cn.ddl.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.ddl.DdlCluster;
import io.alrai.cn.ddl.FakeMysqld;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ShadowGrantsTest {
  private final DdlCluster cluster = new DdlCluster(2);

  private void each(Set<String> wanted) {
    cluster.shards.mysqlds.values().forEach(mysqld -> assertEquals(wanted, mysqld.grants));
  }

  @Test
  void databasesAreGrantedByTheirNames() {
    cluster.run("CREATE DATABASE a_b");
    cluster.run("CREATE DATABASE `%x`");
    cluster.run("CREATE DATABASE `a\\b`");
    each(Set.of("a_b", "%x", "a\\b"));
    cluster.run("DROP DATABASE a_b");
    each(Set.of("%x", "a\\b"));
  }

  @Test
  void grantsOfOlderVersionsAreReplaced() {
    cluster.run("CREATE DATABASE a_b");
    cluster.run("CREATE DATABASE plain");
    cluster.run("CREATE DATABASE `%\\_`");
    FakeMysqld first = cluster.shards.mysqlds.firstEntry().getValue();
    first.grants.clear();
    first.grants.addAll(Set.of("a\\_b", "plain", "\\%\\\\\\_"));
    cluster.grants().keep();
    each(Set.of("a_b", "plain", "%\\_"));
  }

  @Test
  void aDatabaseThatIsNamedAsTheGrantOfAnotherKeepsItsOwn() {
    cluster.run("CREATE DATABASE a_b");
    cluster.run("CREATE DATABASE `a\\_b`");
    FakeMysqld first = cluster.shards.mysqlds.firstEntry().getValue();
    first.grants.remove("a_b");
    cluster.grants().keep();
    each(Set.of("a_b", "a\\_b"));
  }

  @Test
  void eachDnIsAskedOnce() {
    cluster.run("CREATE DATABASE shop");
    ShadowGrants grants = cluster.grants();
    grants.keep();
    cluster.shards.mysqlds.values().forEach(mysqld -> mysqld.grants.clear());
    grants.keep();
    each(new TreeSet<>());
  }
}
