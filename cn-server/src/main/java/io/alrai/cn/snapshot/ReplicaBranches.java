package io.alrai.cn.snapshot;

import io.alrai.cn.lock.Admission;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.DnLink;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A session's branches at members that follow, for the views of one snapshot. All else is its
 * source's, which has the leaders. Event loop only.
 */
final class ReplicaBranches implements TransactionSource {
  private final TransactionSource leaders;

  /** Those that were there when a branch was taken are asked for its view. */
  private final Map<DnId, DnLink> links = new HashMap<>();

  ReplicaBranches(TransactionSource leaders) {
    this.leaders = leaders;
  }

  @Override
  public DnLink link(DnId dn) {
    DnLink known = links.get(dn);
    if (known != null) {
      return known;
    }
    DnLink link =
        leaders
            .link(dn)
            .replicas()
            .orElseThrow(
                () -> new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "nobody follows " + dn));
    links.put(dn, link);
    return link;
  }

  @Override
  public void take(DnId dn, String schema, BranchTaker taker) {
    DnLink link;
    try {
      link = link(dn);
    } catch (AlraiException none) {
      taker.refused(none);
      return;
    }
    link.take(loop(), BackendAccount.DATA, schema, taker);
  }

  @Override
  public void takeForNamedLocks(BranchTaker taker) {
    leaders.takeForNamedLocks(taker);
  }

  @Override
  public void takeForTemporaryTables(BranchTaker taker) {
    leaders.takeForTemporaryTables(taker);
  }

  @Override
  public void take(DnId dn, BackendAccount account, String schema, BranchTaker taker) {
    leaders.take(dn, account, schema, taker);
  }

  @Override
  public EventLoop loop() {
    return leaders.loop();
  }

  @Override
  public Admission admission() {
    return leaders.admission();
  }

  @Override
  public List<DnId> dataNodes() {
    return leaders.dataNodes();
  }

  @Override
  public SpreadPredictor predictor() {
    return leaders.predictor();
  }

  @Override
  public SnapshotClock snapshots() {
    return leaders.snapshots();
  }

  @Override
  public TransactionCounts counts() {
    return leaders.counts();
  }
}
