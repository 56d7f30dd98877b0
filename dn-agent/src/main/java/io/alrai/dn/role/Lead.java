package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.gate.Gate;
import io.alrai.dn.gate.live.Resolved;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.Feed;
import io.alrai.dn.ship.LogSubscription;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * What a DN serves while one of its members leads: the same from the beginning of that lead to its
 * end; afterwards everything fails. Thread-safe.
 */
public final class Lead implements DnLog {
  private final Member member;
  private final LeaderPart part;

  Lead(Member member, LeaderPart part) {
    this.member = member;
    this.part = part;
  }

  @Override
  public DnId dn() {
    return member.dn();
  }

  /** The way to it. */
  public DnLink link() {
    return part.link();
  }

  /** Opens connections to the leader's mysqld. */
  public BackendConnector connector() {
    return part.connector();
  }

  /** Every transaction that becomes visible there, for those who follow. */
  public Feed feed() {
    return member.feed();
  }

  @Override
  public LogSubscription follow() {
    return member.feed().subscribe();
  }

  @Override
  public CompletableFuture<Resolved> resolve(HlcTimestamp wanted) {
    return part.gate().resolve(wanted);
  }

  @Override
  public CompletableFuture<Collection<TransactionId>> preparedBranches() {
    return part.gate().with(Gate::preparedBranches);
  }
}
