package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.gate.Gate;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.ship.Backlog;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.Feed;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LedSubscription;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * What a DN serves while one of its members leads: the same from the beginning of that lead to its
 * end; afterwards everything fails. Thread-safe.
 */
public final class Lead implements DnLog {
  private final Member member;
  private final LeaderPart part;
  private final LeadNumber number;
  private final Backlog.Source missed;
  private final Runnable spread;
  private final LongSupplier written;

  /**
   * A lead that has begun.
   *
   * @param missed what those who follow have not seen of earlier leads
   * @param spread has those who follow hear of all that is committed
   * @param written see {@link GroupView.Heard#last}
   */
  Lead(
      Member member,
      LeaderPart part,
      LeadNumber number,
      Backlog.Source missed,
      Runnable spread,
      LongSupplier written) {
    this.member = member;
    this.part = part;
    this.number = number;
    this.missed = missed;
    this.spread = spread;
    this.written = written;
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
    return LedSubscription.fromNow(number, member.feed());
  }

  @Override
  public LogSubscription follow(GtidSet known) {
    return LedSubscription.after(known, number, member.feed(), missed);
  }

  @Override
  public CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted) {
    return part.gate()
        .resolve(wanted)
        .thenApply(cut -> {
          spread.run();
          return new ResolvedPlace(cut.at(), new LogPlace(number, cut.through()));
        });
  }

  @Override
  public CompletableFuture<SnapshotPlace> place(HlcTimestamp at) {
    return part.gate()
        .place(at)
        .thenApply(place -> {
          if (place instanceof SnapshotPlace.Found) {
            spread.run();
          }
          return place;
        });
  }

  /** On the gate's loop, as what is let through is: all of it was heard of as written before. */
  @Override
  public CompletableFuture<Mark> mark() {
    return part.gate()
        .with(gate -> {
          Feed.Visible now = feed().now();
          BinlogPosition end = now.end().orElseThrow();
          return new Mark(now.transactions(), written.getAsLong(), new LogPlace(number, end));
        });
  }

  @Override
  public CompletableFuture<Collection<TransactionId>> preparedBranches() {
    return part.gate().with(Gate::preparedBranches);
  }
}
