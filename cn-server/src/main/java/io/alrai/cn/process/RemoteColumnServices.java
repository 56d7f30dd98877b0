package io.alrai.cn.process;

import io.alrai.cn.admin.ColumnarStatements;
import io.alrai.cn.columnar.IndexableTables;
import io.alrai.cn.columnar.remote.NodeLinks;
import io.alrai.cn.columnar.remote.RemoteColumns;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.GmsService;
import java.util.Optional;

/** Wires what a CN has of column nodes. */
final class RemoteColumnServices {
  private RemoteColumnServices() {}

  /** Follows the column nodes that the catalog names, now none perhaps, until {@code parts} end. */
  static ColumnServices open(
      RoleConfig role,
      NodeId self,
      GmsService gms,
      RemoteLinks dns,
      EventLoops loops,
      Closers parts) {
    IndexableTables tables =
        new IndexableTables(
            new ShardQueries(dns.links(), loops.group().next(), new SettingsRegistry().defaults()));
    NodeLinks links = parts.add(new NodeLinks(gms, role.secret().open(), self));
    links.start();
    RemoteColumns columns =
        new RemoteColumns(gms, links, table -> tables.check(gms.catalog(), table));
    return new ColumnServices(
        columns, columns, new ColumnarStatements(columns), Optional.of(columns));
  }
}
