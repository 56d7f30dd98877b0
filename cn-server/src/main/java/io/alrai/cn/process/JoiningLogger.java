package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DnMember;
import io.alrai.gms.client.RaftGmsClient;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the catalog where a logger is that joins a group, until it is heard: the GMS may be away,
 * and the logger is of use without it.
 */
final class JoiningLogger implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JoiningLogger.class);
  private static final long AGAIN_SECONDS = 1;

  private final RoleConfig role;
  private final DnGroup group;
  private final CountDownLatch closed = new CountDownLatch(1);

  private JoiningLogger(RoleConfig role, DnGroup group) {
    this.role = role;
    this.group = group;
  }

  /** Begins to. */
  static JoiningLogger tell(RoleConfig role, DnGroup group) {
    JoiningLogger joining = new JoiningLogger(role, group);
    Thread.ofVirtual().name("joins-" + group.dn()).start(joining::run);
    return joining;
  }

  private void run() {
    CatalogCommand put =
        new CatalogCommand.PutDnMember(
            group.dn(),
            new DnMember(role.node(), group.own(role.node()).address(), DnMember.Keeps.LOG));
    try {
      do {
        try (RaftGmsClient gms =
            RaftGmsClient.connect(role.gms(), new ClusterSecret(role.secret()), new Metrics())) {
          gms.submit(put);
          return;
        } catch (AlraiException e) {
          log.warn(
              "{} cannot tell that it waits to join {}: {}", role.node(), group.dn(), e.sentence());
        }
      } while (!closed.await(AGAIN_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
