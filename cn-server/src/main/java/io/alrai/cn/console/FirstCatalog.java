package io.alrai.cn.console;

import io.alrai.common.id.DnId;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DataNode;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Grants;
import java.util.List;

/** What a new cluster's catalog gets. */
final class FirstCatalog {
  private FirstCatalog() {}

  /** Embedded DNs that are not there yet, and the first account. */
  static void register(GmsService gms, List<DnId> embedded) {
    Catalog catalog = gms.catalog();
    for (DnId dn : embedded) {
      if (catalog.dataNode(dn).isEmpty()) {
        gms.submit(new CatalogCommand.PutDataNode(new DataNode(dn, DataNode.EMBEDDED)));
      }
    }
    account(gms);
  }

  /** Root from anywhere, without a password, where there is no account at all. */
  static void account(GmsService gms) {
    if (gms.catalog().accounts().isEmpty()) {
      gms.submit(new CatalogCommand.PutAccount(Account.of("root", "%", "", "", false, Grants.ALL)));
    }
  }
}
