package io.alrai.cn.node;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.process.Closers;
import io.alrai.cn.process.CnProcess;
import io.alrai.cn.process.ColumnarProcess;
import io.alrai.cn.process.DnProcess;
import io.alrai.cn.process.GmsProcess;
import io.alrai.cn.process.OwnLead;
import io.alrai.cn.process.Service;
import io.alrai.cn.process.SharedParts;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Wires a node: its part of the GMS, its agent with a mysqld, its column node, and its CN, which
 * begin in this order and end in the opposite one. All but the first and the column node have one
 * clock, one set of event loops and one link to each DN.
 */
public final class NodeProcess {
  private final NodeConfig node;

  public NodeProcess(NodeConfig node) {
    this.node = node;
  }

  /**
   * Starts all; returns when its endpoint serves.
   *
   * @throws io.alrai.common.error.AlraiException why it does not; nothing is left running then
   */
  public Service.Started start() throws InterruptedException {
    return Service.Started.of(parts ->
        "ready mysql://root@" + node.role().listen().getHostString() + ":" + start(parts) + "/");
  }

  private int start(Closers parts) throws InterruptedException {
    Metrics metrics = new Metrics();
    RoleConfig cnRole = node.cnRole();
    Readiness readiness = cnRole.openMetrics(metrics, parts::add);
    DataDirectoryTemplate template = DnProcess.findMysqld();
    Readiness others = new Readiness();
    readiness.notes(others::missing); // its CN serves with other DNs while its own cannot
    node.gms().ifPresent(part -> new GmsProcess(node.as(part)).startIn(metrics, others, parts));
    NodeId cn = new NodeId(cnRole.node());
    DnProcess agent = new DnProcess(node.as(node.agent()));
    OwnLead own = new OwnLead(agent.dn());
    UnaryOperator<DnLink> seen =
        link -> link.dn().equals(own.dn()) ? new OwnDnLink(own, link) : link;
    SharedParts shared = SharedParts.ofNode(cnRole, cn, metrics, seen, parts);
    agent.startIn(shared, others, own, template, Optional.of(cn), parts);
    if (node.columnar().isPresent()) {
      RoleConfig columnar = node.as(node.columnar().get());
      new ColumnarProcess(columnar, new NodeId(columnar.node())).startIn(metrics, others, parts);
    }
    int port = new CnProcess(cnRole, cn).startIn(shared, readiness, parts);
    parts.add(others.serves());
    parts.add(readiness.serves());
    return port;
  }
}
