package io.alrai.cn.launch;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.process.Closers;
import io.alrai.cn.process.CnProcess;
import io.alrai.cn.process.DnProcess;
import io.alrai.cn.process.LoggerProcess;
import io.alrai.cn.process.Service;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The roles that {@code up --processes} starts, in this JVM: a GMS node, agents, a logger and a CN
 * that speak to each other over the network. The last DN is a group of three members, the others
 * have one replica. Started and closed by one thread.
 */
public final class RolesInOneJvm implements AutoCloseable {
  private static final String GMS = "gms-1";

  private final Closers parts;
  private final String server;
  private final List<String> members;

  private RolesInOneJvm(Closers parts, String server, List<String> members) {
    this.parts = parts;
    this.server = server;
    this.members = members;
  }

  /** Starts a new cluster of so many DNs, two or more, and returns when it serves. */
  public static RolesInOneJvm start(Path directory, int dns)
      throws IOException, InterruptedException {
    InetSocketAddress gms = new InetSocketAddress("127.0.0.1", ListenPorts.free());
    List<GmsPeer> peers = List.of(new GmsPeer(new NodeId(GMS), HostPort.of(gms).toString()));
    Closers parts = new Closers();
    boolean started = false;
    try {
      Membership secret = Membership.fresh(MemberTls.OFF);
      parts.add(
          GmsServer.start(
              GmsConfig.of(new NodeId(GMS), peers, directory.resolve(GMS), secret.open())));
      DnRoles roles = DnRoles.ofBothKinds(directory, role(GMS, directory, peers, secret), dns);
      for (RoleConfig logger : roles.loggers()) {
        parts.add(new LoggerProcess(logger).start().parts());
      }
      List<Closers> agents = new CopyOnWriteArrayList<>();
      parts.add(() -> Closers.together(agents, Closers::close));
      // members of a group wait for each other
      Closers.together(roles.agents(), agent -> start(agent, agents));
      RoleConfig endpoint = role("cn-1", directory, peers, secret);
      Service.Started cn = new CnProcess(endpoint, new NodeId(endpoint.node())).start();
      parts.add(cn.parts());
      started = true;
      return new RolesInOneJvm(
          parts,
          "mysql://root@127.0.0.1:" + endpoint.listen().getPort(),
          DnRoles.byDn(roles.agents()).getLast());
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private static void start(RoleConfig agent, List<Closers> agents) {
    Closers parts = new Closers();
    agents.add(parts);
    try {
      parts.add(new DnProcess(agent).start().parts());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  private static RoleConfig role(
      String name, Path directory, List<GmsPeer> peers, Membership secret) throws IOException {
    return RoleConfig.usual(
        name, directory, new InetSocketAddress("127.0.0.1", ListenPorts.free()), peers, secret);
  }

  /** The CN's URL, without a schema. */
  public String server() {
    return server;
  }

  /** The names of those who can lead the DN that is a group. */
  public List<String> members() {
    return members;
  }

  @Override
  public void close() {
    parts.close();
  }
}
