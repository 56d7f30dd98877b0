package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.GmsPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster with every role as a process of its own: one GMS node, an agent for each mysqld, CNs on
 * ports P, P+1, ... Their configurations are in {@code DIR/etc}, kept for the next start.
 */
final class ProcessCluster {
  private static final Logger log = LoggerFactory.getLogger(ProcessCluster.class);
  private static final long STOP_SECONDS = 60;

  private final Path directory;
  private final String host;
  private final int port;
  private final int dns;
  private final int cns;

  ProcessCluster(Path directory, String host, int port, int dns, int cns) {
    this.directory = directory;
    this.host = host;
    this.port = port;
    this.dns = dns;
    this.cns = cns;
  }

  /** Starts all and returns when they serve. */
  Service.Started start() throws InterruptedException, IOException {
    Parts parts = new Parts();
    boolean started = false;
    try {
      Path gmsConfig = directory.resolve("etc").resolve("gms-1.properties");
      RoleConfig gms = Files.exists(gmsConfig) ? RoleConfig.read(gmsConfig) : newGms();
      run(parts, "gms", gms);
      for (int i = 1; i <= dns; i++) {
        run(parts, "dn", role(gms, "dn-" + i, new InetSocketAddress("127.0.0.1", freePort())));
      }
      for (int i = 1; i <= cns; i++) {
        run(parts, "cn", role(gms, "cn-" + i, new InetSocketAddress(host, port + i - 1)));
      }
      started = true;
      return new Service.Started("ready mysql://root@" + host + ":" + port + "/", parts);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private RoleConfig newGms() throws IOException {
    byte[] secret = new byte[24];
    new SecureRandom().nextBytes(secret);
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", freePort());
    return new RoleConfig(
        "gms-1",
        directory,
        address,
        List.of(
            new GmsPeer(new NodeId("gms-1"), address.getHostString() + ":" + address.getPort())),
        HexFormat.of().formatHex(secret),
        0);
  }

  private RoleConfig role(RoleConfig gms, String name, InetSocketAddress fresh) {
    Path known = directory.resolve("etc").resolve(name + ".properties");
    if (Files.exists(known) && name.startsWith("dn-")) {
      return RoleConfig.read(known);
    }
    return new RoleConfig(name, directory, fresh, gms.gms(), gms.secret(), 0);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void run(Parts parts, String command, RoleConfig role)
      throws InterruptedException, IOException {
    Path config = directory.resolve("etc").resolve(role.node() + ".properties");
    Files.createDirectories(config.getParent());
    Files.writeString(config, role.text());
    Detached.Running running =
        Detached.start(directory, role.node(), command, "--config", config.toString());
    log.info("{} serves: process {}", role.node(), running.process().pid());
    parts.add(() -> stop(role.node(), running.process()));
  }

  private static void stop(String name, ProcessHandle process) throws InterruptedException {
    process.destroy();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    while (process.isAlive()) {
      if (System.nanoTime() > end) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, name + " does not stop: " + process.pid());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
