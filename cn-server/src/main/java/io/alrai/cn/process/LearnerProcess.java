package io.alrai.cn.process;

import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.net.HostPort;
import io.alrai.dn.group.VoterLogs;
import io.alrai.dn.learner.LearnerAgent;
import io.alrai.dn.learner.LearnerMark;
import io.alrai.dn.learner.LearnerMembership;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.role.MemberContext;
import io.alrai.dn.rpc.AgentServer;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.client.RaftGmsClient;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires a learner: it waits until it is added, and learns until the catalog does not know it any
 * more, which is how one hears of it that was away when it was dropped.
 */
final class LearnerProcess {
  private static final Logger log = LoggerFactory.getLogger(LearnerProcess.class);

  private final DnId dn;
  private final String self;
  private final LearnerMark mark;
  private final RaftGmsClient gms;
  private final RemoteLinks others;
  private final Readiness readiness;

  LearnerProcess(
      DnId dn, RoleConfig role, RaftGmsClient gms, RemoteLinks others, Readiness readiness) {
    this.readiness = readiness;
    this.dn = dn;
    this.self = role.node();
    this.mark = role.learnerMark();
    this.gms = gms;
    this.others = others;
  }

  /**
   * That it may start.
   *
   * @throws AlraiException with a sentence that says why not
   */
  static void check(Catalog catalog, DnId dn, RoleConfig role) {
    if (catalog.dataNode(dn).isEmpty()) {
      throw refusal(dn + " is no DN of this cluster yet, so nobody can learn from it");
    }
    LearnerMark mark = role.learnerMark();
    if (mark.isAdded() && !isKnown(catalog, dn, role.node())) {
      mark.drop();
    }
    if (mark.isDropped()) {
      throw refusal(
          role.node()
              + " was dropped: end its process and remove its directory; to add it again, begin"
              + " with an empty one");
    }
    boolean taken =
        catalog.dataNode(dn).stream()
            .flatMap(node -> node.members().stream())
            .anyMatch(member ->
                member.name().equals(role.node()) && member.keeps() != DnMember.Keeps.LEARNER);
    if (taken) {
      throw refusal(
          role.node() + " is a member of " + dn + " that votes: name the learner otherwise");
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }

  private static boolean isKnown(Catalog catalog, DnId dn, String name) {
    return catalog.dataNode(dn).stream()
        .flatMap(node -> node.members().stream())
        .anyMatch(member -> member.name().equals(name));
  }

  /** Starts it; returns where it listens. */
  InetSocketAddress start(
      Closers parts,
      AgentServer server,
      InetSocketAddress listen,
      MysqldInstance instance,
      MemberContext context,
      GroupLimits limits) {
    LearnerMembership membership =
        parts.add(
            new LearnerMembership(
                self,
                mark,
                () ->
                    LearnerAgent.open(
                        dn, self, instance, context, voters(), limits, () -> others.donors(dn)),
                () -> others.log(dn),
                this::failed));
    readiness.needs(() ->
        membership.reads().isPresent()
            ? Optional.empty()
            : Optional.of("it waits until it is added, or has rows that may be read"));
    server.member(membership);
    InetSocketAddress address = server.start(listen);
    String text = HostPort.of(address).toString();
    gms.submit(
        new CatalogCommand.PutDnMember(dn, new DnMember(self, text, DnMember.Keeps.LEARNER)));
    membership.start();
    gms.onChange(new Dropped(membership)::look);
    return address;
  }

  private void failed(Throwable reason) {
    log.error("{} cannot go on: this process ends and is started again", self, reason);
    Runtime.getRuntime().halt(LoggerProcess.FAILED);
  }

  private VoterLogs voters() {
    return others.voterLogs(dn).orElseThrow(() -> refusal(dn + " has not registered yet"));
  }

  /** Sees that the catalog does not know the learner any more. */
  private final class Dropped {
    private final LearnerMembership membership;
    private boolean known;

    Dropped(LearnerMembership membership) {
      this.membership = membership;
    }

    synchronized void look(Catalog catalog) {
      boolean now = isKnown(catalog, dn, self);
      if (known && !now && mark.isAdded()) {
        log.warn("{} does not know {} any more: it was dropped", dn, self);
        membership.drop(self);
      }
      known = now;
    }
  }
}
