package io.alrai.cn.process;

import io.alrai.common.id.DnId;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.node.DataNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a new cluster's catalog gets. */
final class FirstCatalog {
  private static final Logger log = LoggerFactory.getLogger(FirstCatalog.class);
  private static final String ROOT = "root";
  private static final String PASSWORD = "ALRAI_ROOT_PASSWORD";

  private FirstCatalog() {}

  /** Embedded DNs that are not there yet, and the first account. */
  static void register(GmsService gms, List<DnId> embedded, String host) {
    Catalog catalog = gms.catalog();
    for (DnId dn : embedded) {
      if (catalog.dataNode(dn).isEmpty()) {
        gms.submit(new CatalogCommand.RegisterDataNode(new DataNode(dn, DataNode.EMBEDDED)));
      }
    }
    account(gms, host);
  }

  /**
   * Root, where there is no account at all: with the password of the environment, else without one,
   * so that it is let in from this machine only.
   *
   * @param host where clients will find the endpoint
   */
  static void account(GmsService gms, String host) {
    if (gms.catalog().accounts().isEmpty()) {
      Credential credential = Credential.of(System.getenv().getOrDefault(PASSWORD, ""));
      gms.submit(
          new CatalogCommand.PutAccount(Account.of(ROOT, "%", credential, false, Grants.ALL)));
    }
    long old =
        gms.catalog().accounts().values().stream()
            .filter(account -> account.credential().oldDigest().isPresent())
            .count();
    if (old > 0) {
      log.info(
          "{} accounts have passwords as an older version kept them, without salt, until they log in"
              + " within TLS or get another password",
          old);
    }
    boolean open =
        gms.catalog().accountsOf(ROOT).stream().anyMatch(root -> root.credential().noPassword());
    InetAddress address = new InetSocketAddress(host, 0).getAddress();
    if (open && address != null && !address.isLoopbackAddress()) {
      log.warn(
          "{} is open to the network, but root has no password and is let in from this machine only:"
              + " say ALTER USER root IDENTIFIED BY '...' there; a new cluster's root gets what"
              + " the variable {} of the environment has",
          host,
          PASSWORD);
    }
  }
}
