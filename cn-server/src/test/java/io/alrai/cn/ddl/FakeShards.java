package io.alrai.cn.ddl;

import io.alrai.common.id.DnId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Some {@link FakeMysqld}s, and a CN that may die before or behind each statement. */
final class FakeShards implements DdlShards {
  final TreeMap<DnId, FakeMysqld> mysqlds = new TreeMap<>();
  private final CrashPoints crashes;

  FakeShards(int count, CrashPoints crashes) {
    this.crashes = crashes;
    for (int i = 1; i <= count; i++) {
      mysqlds.put(new DnId("dn-" + i), new FakeMysqld());
    }
  }

  FakeMysqld mysqld(DnId dn) {
    FakeMysqld mysqld = mysqlds.get(dn);
    if (mysqld == null) {
      throw new IllegalArgumentException("no DN " + dn);
    }
    return mysqld;
  }

  @Override
  public List<DnId> dns() {
    return List.copyOf(mysqlds.keySet());
  }

  @Override
  public synchronized Executed execute(
      DnId dn, String currentSchema, Map<String, String> settings, String sql) {
    crashes.point();
    mysqld(dn).execute(currentSchema, sql);
    crashes.point();
    return new Executed(0, List.of());
  }

  @Override
  public void read(DnId dn, Map<String, String> settings, String sql, Consumer<String> row) {
    int rows = mysqld(dn).rowsOf(sql);
    for (int i = 0; i < rows; i++) {
      row.accept("(1)");
    }
  }

  @Override
  public synchronized List<List<String>> query(DnId dn, String currentSchema, String sql) {
    if (crashes.dead()) {
      throw new CrashPoints.Death();
    }
    return mysqld(dn).query(sql);
  }
}
