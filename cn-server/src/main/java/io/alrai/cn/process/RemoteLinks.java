package io.alrai.cn.process;

import io.alrai.cn.ask.AskLines;
import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.config.Limits;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.ask.AskLine;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.group.VoterLogs;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.Donors;
import io.alrai.dn.rpc.KnownMembers;
import io.alrai.dn.rpc.RemoteDnLink;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.ship.DnLog;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Keeps a link to every DN of the catalog. */
public final class RemoteLinks implements AutoCloseable {
  /** The place of an agent that has not registered yet. */
  private static final InetSocketAddress NOWHERE =
      InetSocketAddress.createUnresolved("127.0.0.1", 1);

  private final DnLinks links = new DnLinks();
  private final List<RemoteDnLink> all = new CopyOnWriteArrayList<>();
  private final Map<DnId, DnLog> logs = new ConcurrentHashMap<>();
  private final Map<DnId, VoterLogs> voterLogs = new ConcurrentHashMap<>();
  private final Map<DnId, Donors> donors = new ConcurrentHashMap<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final GmsService gms;
  private final ClusterSecret secret;
  private final NodeId self;
  private final NodeClock clock;
  private final EventLoops loops;
  private final Runnable onSilence;
  private final UnaryOperator<DnLink> seen;

  /**
   * Links.
   *
   * @param onSilence counts agents that were given up as they did not answer
   * @param seen what others take for each link
   */
  RemoteLinks(
      GmsService gms,
      ClusterSecret secret,
      NodeId self,
      NodeClock clock,
      EventLoops loops,
      Runnable onSilence,
      UnaryOperator<DnLink> seen) {
    this.onSilence = onSilence;
    this.seen = seen;
    this.gms = gms;
    this.secret = secret;
    this.self = self;
    this.clock = clock;
    this.loops = loops;
    gms.onChange(this::follow);
    follow(gms.catalog());
  }

  private synchronized void follow(Catalog catalog) {
    for (DataNode node : catalog.dataNodes()) {
      if (!links.dns().contains(node.id())) {
        RemoteDnLink link =
            new RemoteDnLink(
                node.id(),
                () -> members(node.id()),
                secret,
                self,
                clock,
                loops.group(),
                Limits.pool(loops.each().size()),
                onSilence);
        logs.put(node.id(), link.log());
        donors.put(node.id(), link.donors());
        voterLogs.put(node.id(), link.voterLogs());
        all.add(link);
        links.put(seen.apply(link));
        first.countDown();
      }
    }
    all.forEach(RemoteDnLink::membersChanged);
  }

  private KnownMembers members(DnId dn) {
    long generation = gms.generation();
    return gms.catalog()
        .dataNode(dn)
        .map(node -> members(node, generation))
        .orElse(KnownMembers.alone(NOWHERE).of(generation));
  }

  /**
   * Those with rows. The only replica of a DN is one of its members when another waits to join it,
   * by the name of the DN: it has not said so before it has founded a group.
   */
  static KnownMembers members(DataNode node, long gmsGeneration) {
    List<KnownMembers.Member> members = new ArrayList<>(with(node, DnMember.Keeps.ROWS));
    boolean waits =
        node.term() == 0
            && !members.isEmpty()
            && node.members().stream().noneMatch(member -> member.address().equals(node.address()));
    if (waits) {
      members.add(new KnownMembers.Member(node.id().name(), place(node.address())));
    }
    ForcedGroup forced = node.forced();
    return new KnownMembers(
        members,
        with(node, DnMember.Keeps.LEARNER),
        place(node.address()),
        node.term(),
        new KnownGenerations(gmsGeneration, forced.generation(), forced.survivor()));
  }

  private static List<KnownMembers.Member> with(DataNode node, DnMember.Keeps keeps) {
    return node.members().stream()
        .filter(member -> member.keeps() == keeps)
        .map(member -> new KnownMembers.Member(member.name(), place(member.address())))
        .toList();
  }

  /** Not looked up: whoever connects does that, each time. */
  private static InetSocketAddress place(String address) {
    return address.contains(":") ? HostPort.parse(address).unresolved() : NOWHERE;
  }

  /**
   * Waits for the first DN.
   *
   * @return whether there is one in time
   */
  boolean awaitFirst(Duration bound) throws InterruptedException {
    return first.await(bound.toMillis(), TimeUnit.MILLISECONDS);
  }

  DnLinks links() {
    return links;
  }

  /** The log of a DN; empty while none of that name has registered. */
  Optional<DnLog> log(DnId dn) {
    return Optional.ofNullable(logs.get(dn));
  }

  /** The members of a DN, for one of them; empty while none of that name has registered. */
  Optional<Donors> donors(DnId dn) {
    return Optional.ofNullable(donors.get(dn));
  }

  /** The logs of a DN's voters, for a learner; empty while none of that name has registered. */
  Optional<VoterLogs> voterLogs(DnId dn) {
    return Optional.ofNullable(voterLogs.get(dn));
  }

  /** Lets a CN ask others over the agents of all DNs, and be asked. */
  AskLines asking(ClusterAsk asks) {
    AskLines lines = new AskLines(this::askOpeners, loops.group().next(), asks);
    gms.onChange(catalog -> lines.follow());
    return lines;
  }

  private Map<DnId, AskLine.Opener> askOpeners() {
    return all.stream().collect(Collectors.toMap(RemoteDnLink::dn, RemoteDnLink::asking));
  }

  @Override
  public void close() {
    links.all().forEach(DnLink::close);
  }
}
