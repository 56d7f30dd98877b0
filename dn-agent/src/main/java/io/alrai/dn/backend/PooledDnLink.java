package io.alrai.dn.backend;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Latency;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BackendAccount.Family;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.Unfit;
import io.alrai.dn.link.ViewOpener;
import io.netty.channel.EventLoop;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A DN reached by pooled connections, whatever they run over. Thread-safe. */
public final class PooledDnLink implements DnLink {
  private final DnId dn;
  private final BackendConnector connector;
  private final PoolLimits limits;
  private final ViewOpener views;
  private final KeptReplies rows;
  private final CommitParticipant participant;
  private final AtomicInteger schemaEra = new AtomicInteger();
  private final LinkCounts counts = new LinkCounts();
  private volatile boolean closed;

  /** Families are apart, so that sessions that wait for named locks keep nobody from working. */
  private final Map<Family, Map<EventLoop, LoopPools>> pools = new EnumMap<>(Family.class);

  /**
   * A link.
   *
   * @param views opens views on its branches
   * @param rows what is kept of it
   * @param participant made with the link itself, as it takes its own branches from it
   */
  public PooledDnLink(
      DnId dn,
      BackendConnector connector,
      PoolLimits limits,
      ViewOpener views,
      KeptReplies rows,
      Function<DnLink, CommitParticipant> participant) {
    this.dn = dn;
    this.connector = connector;
    this.limits = limits;
    this.views = views;
    this.rows = rows;
    for (Family family : Family.values()) {
      pools.put(family, new ConcurrentHashMap<>());
    }
    this.participant = participant.apply(this);
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public void take(
      EventLoop loop,
      BackendAccount account,
      String schema,
      @Nullable Object settings,
      BranchTaker taker) {
    pools(loop, account.family()).of(account).take(schema, settings, taker);
  }

  private LoopPools pools(EventLoop loop, Family family) {
    Map<EventLoop, LoopPools> known = Objects.requireNonNull(pools.get(family));
    LoopPools mine = known.get(loop);
    return mine != null ? mine : made(loop, family, known);
  }

  private LoopPools made(EventLoop loop, Family family, Map<EventLoop, LoopPools> known) {
    LoopPools made =
        known.computeIfAbsent(
            loop,
            key -> new LoopPools(key, connector, limits, limits.most(family), schemaEra, counts));
    if (closed) {
      made.close();
    }
    return made;
  }

  @Override
  public boolean mysqldAnswers() {
    return connector.answers();
  }

  @Override
  public ViewOpener views() {
    return views;
  }

  @Override
  public KeptReplies rows() {
    return rows;
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
    return counts.open().get();
  }

  @Override
  public LongAdder unfit(Unfit reason) {
    return counts.unfit().of(reason);
  }

  @Override
  public LongAdder lostReplies() {
    return counts.lostReplies();
  }

  @Override
  public Latency waits() {
    return counts.waits();
  }

  @Override
  public void close() {
    closed = true;
    pools.values().forEach(each -> each.forEach((loop, pool) -> loop.execute(pool::close)));
  }
}
