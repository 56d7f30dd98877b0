package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.role.Lead;
import io.alrai.dn.role.MemberListener;
import io.alrai.dn.rpc.AgentServer;
import io.alrai.dn.rpc.Leading;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.client.RaftGmsClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells others of the leads of this process' member, or of the only replica of its DN: its server,
 * and the catalog, which those who know nobody ask. The catalog is not waited for.
 */
final class GroupLeads implements MemberListener {
  private static final Logger log = LoggerFactory.getLogger(GroupLeads.class);
  private static final long AGAIN_MILLIS = 200;

  private final DnId dn;
  private final RaftGmsClient gms;
  private final AgentServer server;
  private final OwnLead own;
  private final String address;

  /** In which the member leads; 0 while it does not. */
  private volatile long term;

  GroupLeads(DnId dn, RaftGmsClient gms, AgentServer server, OwnLead own, String address) {
    this.dn = dn;
    this.gms = gms;
    this.server = server;
    this.own = own;
    this.address = address;
  }

  @Override
  public void leads(long inTerm, Lead lead, Reservation reservation) {
    term = inTerm;
    own.leads(inTerm, lead.link());
    server.lead(
        new Leading(
            inTerm,
            lead.connector(),
            lead.link().participant(),
            lead.link().views(),
            lead.link().rows(),
            lead,
            reservation));
    if (inTerm == 0) {
      return; // of a DN of one replica: it is where it was
    }
    var _ = tell(new CatalogCommand.HintLeader(dn, address, inTerm), () -> term == inTerm);
  }

  /** Tells the catalog once more, which may have lost it. */
  void leadsStill() {
    long now = term;
    if (now > 0) {
      var _ = tell(new CatalogCommand.HintLeader(dn, address, now), () -> term == now);
    }
  }

  /** Tells the catalog, in the background; completes when it has heard. */
  CompletableFuture<Void> tell(CatalogCommand news) {
    return tell(news, () -> true);
  }

  private CompletableFuture<Void> tell(CatalogCommand news, BooleanSupplier isTrue) {
    return CompletableFuture.runAsync(
        () -> submit(news, isTrue), task -> Thread.ofVirtual().name("hint-" + dn).start(task));
  }

  /** Until it is heard, or not true any more. */
  private void submit(CatalogCommand news, BooleanSupplier isTrue) {
    while (isTrue.getAsBoolean()) {
      try {
        gms.submit(news);
        return;
      } catch (AlraiException e) {
        log.warn("{}: the catalog does not hear of {}: {}", dn, news, e.sentence());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void leaves(Duration bound) throws InterruptedException {
    own.leaves();
    try {
      if (!server.leave(bound).get()) {
        log.info("{}: statements that run for longer than {} are ended", dn, bound);
      }
    } catch (ExecutionException e) {
      log.warn("{}: its sessions could not be asked to end", dn, e);
    }
  }

  @Override
  public CompletableFuture<Boolean> left() {
    return server.left();
  }

  @Override
  public void follows() {
    term = 0;
    own.follows();
    server.follow(LeaderHint.NOBODY); // the member knows who does, when somebody does
  }

  @Override
  public void failed(Throwable reason) {
    log.error("{} cannot use its group's log: this process ends and is started again", dn, reason);
    Runtime.getRuntime().halt(LoggerProcess.FAILED);
  }
}
