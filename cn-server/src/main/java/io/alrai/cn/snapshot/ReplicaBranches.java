package io.alrai.cn.snapshot;

import io.alrai.cn.lock.Admission;
import io.alrai.cn.settings.ReplicaSettings;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session's branches at members that follow, for the views of one snapshot. All else is its
 * source's, which has the leaders. Event loop only.
 */
final class ReplicaBranches implements TransactionSource {
  private final TransactionSource leaders;
  private final ReplicaSettings settings;

  /** Those that were there when a branch was taken are asked for its view. */
  private final Map<DnId, DnLink> links = new HashMap<>();

  ReplicaBranches(TransactionSource leaders, ReplicaSettings settings) {
    this.leaders = leaders;
    this.settings = settings;
  }

  @Override
  public DnLink link(DnId dn) {
    DnLink known = links.get(dn);
    if (known != null) {
      return known;
    }
    DnLink leader = leaders.link(dn);
    requirePrompt(leader);
    DnLink link =
        leader
            .replicas()
            .orElseThrow(
                () -> new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "nobody follows " + dn));
    links.put(dn, link);
    return link;
  }

  /** Members that are known to be too far behind are not read. */
  private void requirePrompt(DnLink link) {
    @Nullable ErrorCode code =
        switch (settings.whenDelayed()) {
          case READ -> null;
          case LEADER -> ErrorCode.ALRAI_NODE_UNAVAILABLE;
          case REFUSE -> ErrorCode.ALRAI_REPLICA_DELAYED;
        };
    if (code == null) {
      return;
    }
    long millis = link.delayMillis().orElse(0);
    if (millis > TimeUnit.SECONDS.toMillis(settings.delaySeconds())) {
      String how = millis == Long.MAX_VALUE ? "does not follow" : "is " + millis + " ms behind";
      throw new AlraiException(
          code,
          "a member of "
              + link.dn()
              + " "
              + how
              + ", and "
              + ReplicaSettings.DELAY
              + " is "
              + settings.delaySeconds()
              + " s");
    }
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
