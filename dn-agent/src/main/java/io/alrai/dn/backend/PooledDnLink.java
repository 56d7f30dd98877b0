package io.alrai.dn.backend;

import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A DN reached by pooled connections, whatever they run over. Thread-safe. */
public final class PooledDnLink implements DnLink {
  private final DnId dn;
  private final BackendConnector connector;
  private final PoolLimits limits;
  private final ViewOpener views;
  private final CommitParticipant participant;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger schemaEra = new AtomicInteger();
  private final Map<Bounded, LoopPools> pools = new ConcurrentHashMap<>();

  /** Families are apart, so that sessions that wait for named locks keep nobody from working. */
  private record Bounded(EventLoop loop, BackendAccount.Family family) {}

  /**
   * A link.
   *
   * @param views opens views on its branches
   * @param participant made with the link itself, as it takes its own branches from it
   */
  public PooledDnLink(
      DnId dn,
      BackendConnector connector,
      PoolLimits limits,
      ViewOpener views,
      Function<DnLink, CommitParticipant> participant) {
    this.dn = dn;
    this.connector = connector;
    this.limits = limits;
    this.views = views;
    this.participant = participant.apply(this);
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public void take(EventLoop loop, BackendAccount account, String schema, BranchTaker taker) {
    pools
        .computeIfAbsent(new Bounded(loop, account.family()), this::pool)
        .of(account)
        .take(schema, taker);
  }

  private LoopPools pool(Bounded bounded) {
    int most = limits.most(bounded.family());
    return new LoopPools(bounded.loop(), connector, limits, most, open, schemaEra);
  }

  @Override
  public ViewOpener views() {
    return views;
  }

  @Override
  public CommitParticipant participant() {
    return participant;
  }

  @Override
  public void forgetSchemas() {
    schemaEra.incrementAndGet();
  }

  @Override
  public int openBranches() {
    return open.get();
  }

  @Override
  public void close() {
    pools.forEach((bounded, pool) -> bounded.loop().execute(pool::close));
  }
}
