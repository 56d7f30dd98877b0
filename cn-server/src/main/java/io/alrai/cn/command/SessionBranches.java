package io.alrai.cn.command;

import io.alrai.cn.lock.Admission;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.session.Session;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.cn.snapshot.SpreadPredictor;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.DnLink;
import io.alrai.gms.api.node.DataNode;
import io.netty.channel.EventLoop;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Where a client's session gets its branches. Event loop of the client, unless said otherwise. */
public final class SessionBranches implements TransactionSource {
  private final CnServices services;
  private final EventLoop loop;
  private final Supplier<Session> session;

  SessionBranches(CnServices services, EventLoop loop, Supplier<Session> session) {
    this.services = services;
    this.loop = loop;
    this.session = session;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public void take(DnId dn, String schema, BranchTaker taker) {
    take(dn, session.get().client().account(), schema, taker);
  }

  @Override
  public void takeForNamedLocks(BranchTaker taker) {
    dataNodes().stream()
        .min(Comparator.naturalOrder())
        .ifPresentOrElse(
            dn -> take(dn, BackendAccount.NAMED_LOCKS, "", taker),
            () ->
                taker.refused(
                    new AlraiException(
                        ErrorCode.ALRAI_NODE_UNAVAILABLE, "the cluster has no DN yet")));
  }

  @Override
  public void takeForTemporaryTables(BranchTaker taker) {
    BackendAccount account =
        session.get().client().account().foundRows()
            ? BackendAccount.TEMPORARY_FOUND_ROWS
            : BackendAccount.TEMPORARY;
    take(services.transactions().links().any(), account, "", taker);
  }

  @Override
  public void take(DnId dn, BackendAccount account, String schema, BranchTaker taker) {
    services
        .transactions()
        .links()
        .take(
            dn,
            loop,
            account,
            schema,
            session.get().variables().ofShards(),
            session.get().trace().taker(dn, taker));
  }

  @Override
  public Admission admission() {
    return services.transactions().admission();
  }

  @Override
  public List<DnId> dataNodes() {
    return services.gms().catalog().dataNodes().stream().map(DataNode::id).toList();
  }

  @Override
  public SpreadPredictor predictor() {
    return services.transactions().predictor();
  }

  @Override
  public SnapshotClock snapshots() {
    return services.transactions().snapshots();
  }

  @Override
  public TransactionCounts counts() {
    return services.transactions().counts();
  }

  @Override
  public DnLink link(DnId dn) {
    return services.transactions().links().link(dn);
  }
}
