package io.alrai.cn.console;

import io.alrai.cn.admin.CnAdmin;
import io.alrai.cn.admin.CnParts;
import io.alrai.cn.command.CnServices;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SettingsRegistry;
import io.alrai.cn.shard.DnLinks;
import io.alrai.cn.shard.ServerFacts;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.tx.TransactionNumbers;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.lower.AlraiPlanner;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Wires the parts of one CN. Used once, by the thread that starts the process. */
final class ComputeNode {
  private static final int MAX_ALLOWED_PACKET = 64 << 20;

  private final NodeId self;
  private final GmsService gms;
  private final DnLinks links;
  private final EventLoopGroup loops;

  ComputeNode(NodeId self, GmsService gms, DnLinks links, EventLoopGroup loops) {
    this.self = self;
    this.gms = gms;
    this.links = links;
    this.loops = loops;
  }

  /** Makes the services of its sessions; asks the mysqlds for facts. Blocking. */
  CnServices start(String mysqlVersion) {
    long started = System.currentTimeMillis();
    SettingsRegistry settings = new SettingsRegistry();
    ShardQueries queries = new ShardQueries(links, loops.next(), settings.defaults());
    ServerFacts facts = ServerFacts.read(queries);
    SessionRegistry sessions = new SessionRegistry(1);
    AlraiPlanner planner = new AlraiPlanner();
    Map<EventLoop, StatementPlanner> planners = new ConcurrentHashMap<>();
    CnParts parts =
        new CnParts(
            self, gms, queries, facts, settings, sessions, planner, System::currentTimeMillis);
    StatementRooms rooms = StatementRooms.of(parts, links);
    return new CnServices(
        mysqlVersion + "-alrai",
        gms,
        links,
        loop -> planners.computeIfAbsent(loop, key -> new StatementPlanner(planner, gms::catalog)),
        rooms.places(),
        rooms.data(),
        new CnAdmin(parts, rooms.others()),
        settings,
        facts.collations(),
        new TransactionNumbers(self, started),
        sessions,
        System::currentTimeMillis,
        started,
        MAX_ALLOWED_PACKET);
  }
}
