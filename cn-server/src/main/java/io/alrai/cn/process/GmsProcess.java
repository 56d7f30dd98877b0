package io.alrai.cn.process;

import io.alrai.cn.config.RoleConfig;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.gms.server.GmsServer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a node of the GMS as a process of its own. */
public final class GmsProcess {
  private static final Logger log = LoggerFactory.getLogger(GmsProcess.class);

  private final RoleConfig role;

  /** The node that has the name of this role. */
  public GmsProcess(RoleConfig role) {
    this.role = role;
  }

  /**
   * Starts it; it does not wait for the others.
   *
   * @throws io.alrai.common.error.AlraiException why it cannot work
   */
  public Service.Started start() {
    return Service.Started.of(parts -> {
      Metrics metrics = new Metrics();
      Readiness readiness = role.openMetrics(metrics, parts::add);
      startIn(metrics, readiness, parts);
      parts.add(readiness.serves());
      return "ready gms " + role.node();
    });
  }

  /**
   * As {@link #start}, in a process that serves metrics itself.
   *
   * @param readiness learns what it needs
   */
  public void startIn(Metrics metrics, Readiness readiness, Closers parts) {
    GmsServer server = parts.add(GmsServer.start(role.gmsNode()));
    server.dropped().thenAccept(this::end);
    server.failure().thenAccept(error -> end(error.sentence()));
    server.measure(metrics);
    readiness.needs(() ->
        server.knowsLeader()
            ? Optional.empty()
            : Optional.of("it knows no leader: no majority of the GMS' nodes is in touch"));
  }

  private void end(String why) {
    log.error("{} ends: {}", role.node(), why);
    Runtime.getRuntime().halt(LoggerProcess.FAILED);
  }
}
