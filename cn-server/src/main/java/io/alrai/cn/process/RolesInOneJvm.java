package io.alrai.cn.process;

import io.alrai.common.id.NodeId;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The roles that {@code up --processes} starts, in this JVM: a GMS node, agents and a CN that speak
 * to each other over the network. Started and closed by one thread.
 */
public final class RolesInOneJvm implements AutoCloseable {
  private static final String GMS = "gms-1";

  private final Closers parts;
  private final String server;

  private RolesInOneJvm(Closers parts, String server) {
    this.parts = parts;
    this.server = server;
  }

  /** Starts a new cluster of so many DNs and returns when it serves. */
  public static RolesInOneJvm start(Path directory, int dns)
      throws IOException, InterruptedException {
    InetSocketAddress gms = new InetSocketAddress("127.0.0.1", ListenPorts.free());
    List<GmsPeer> peers =
        List.of(new GmsPeer(new NodeId(GMS), gms.getHostString() + ":" + gms.getPort()));
    Closers parts = new Closers();
    boolean started = false;
    try {
      String secret = ClusterSecret.fresh();
      parts.add(
          GmsServer.start(
              GmsConfig.of(
                  new NodeId(GMS), peers, directory.resolve(GMS), new ClusterSecret(secret))));
      List<Closers> agents = new ArrayList<>();
      parts.add(() -> Closers.together(agents, Closers::close));
      for (int i = 1; i <= dns; i++) {
        RoleConfig role = role("dn-" + i, directory, peers, secret);
        Closers agent = new Closers();
        agents.add(agent);
        agent.add(new DnProcess(role).start().parts());
      }
      RoleConfig endpoint = role("cn-1", directory, peers, secret);
      Service.Started cn = new CnProcess(endpoint, new NodeId(endpoint.node())).start();
      parts.add(cn.parts());
      started = true;
      return new RolesInOneJvm(parts, "mysql://root@127.0.0.1:" + endpoint.listen().getPort());
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private static RoleConfig role(String name, Path directory, List<GmsPeer> peers, String secret)
      throws IOException {
    return RoleConfig.usual(
        name, directory, new InetSocketAddress("127.0.0.1", ListenPorts.free()), peers, secret);
  }

  /** The CN's URL, without a schema. */
  public String server() {
    return server;
  }

  @Override
  public void close() {
    parts.close();
  }
}
