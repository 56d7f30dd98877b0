package io.alrai.cn.tx;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.held.HeldBranch;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.snapshot.ViewRequests;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.XaName;
import java.util.function.Consumer;

/** Begins the branches of a session's transaction that open no view. Event loop only. */
final class BranchBeginnings {
  private final SessionTransaction owner;
  private final TransactionViews views;
  private final TransactionBranches branches;
  private final Savepoints savepoints;

  /** Beginnings for one session. */
  BranchBeginnings(
      SessionTransaction owner,
      TransactionViews views,
      TransactionBranches branches,
      Savepoints savepoints) {
    this.owner = owner;
    this.views = views;
    this.branches = branches;
    this.savepoints = savepoints;
  }

  /**
   * Takes a branch on a DN that has none yet, and begins it.
   *
   * @param write whether for a statement that changes or locks rows
   * @param noted is given it before it is handed over
   */
  void take(
      DnId dn,
      SessionSettings settings,
      String schema,
      boolean write,
      Consumer<TransactionBranch> noted,
      BranchTaker taker) {
    owner
        .held()
        .tableLocks()
        .take(
            dn,
            schema,
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                BranchPreparation.queue(branch, settings, schema);
                TransactionBranch mine = start(branch, write, owner.options());
                noted.accept(mine);
                handOver(mine, taker);
              }

              @Override
              public void refused(AlraiException reason) {
                taker.refused(reason);
              }
            });
  }

  /**
   * Adds a branch to the transaction, and queues what begins it if it is a plain transaction.
   *
   * @param write whether for a statement that changes or locks rows
   */
  private TransactionBranch start(Branch branch, boolean write, TransactionOptions options) {
    boolean plain = views.beginsPlain(branch.dn(), write);
    if (!options.isolation().isEmpty()) {
      BranchControl.queue(
          branch, Sql.of("SET TRANSACTION ISOLATION LEVEL ").written(options.isolation()));
    }
    if (branch instanceof HeldBranch held) {
      held.begin();
      return begun(branch, true);
    }
    if (plain) {
      boolean own = options.consistentSnapshot() && !views.snapshot().chosen();
      BranchControl.queue(branch, Sql.client(ViewRequests.start(own, options.readOnly())));
    }
    return begun(branch, plain);
  }

  private TransactionBranch begun(Branch branch, boolean plain) {
    if (plain) {
      savepoints.queue(branch);
    }
    TransactionBranch mine = new TransactionBranch(branch, plain);
    branches.add(mine);
    return mine;
  }

  /**
   * Hands a branch over, an XA branch together with what begins it: if that failed, a statement
   * sent after it would commit by itself, although the client is answered that its transaction was
   * rolled back.
   */
  private void handOver(TransactionBranch mine, BranchTaker taker) {
    Branch branch = mine.branch();
    if (mine.plain()) {
      taker.taken(branch);
      return;
    }
    Sql beginning =
        Sql.of("XA START ")
            .add(XaName.name(branches.named(owner), branch.dn()))
            .add(savepoints.text());
    if (taker.sendsText()) {
      taker.taken(new BeginningBranch(branch, beginning, 1 + savepoints.count()));
    } else {
      BranchControl.queueSeveral(branch, beginning);
      BranchControl.whenBegun(branch, taker);
    }
  }
}
