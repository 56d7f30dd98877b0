package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.branch.WarningsFetch;
import io.alrai.cn.branch.WatchedReply;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One statement on its way to a branch. Made anywhere, runs on the event loop. */
final class ShardLaunch implements BranchTaker {
  private static final int MOST_ATTEMPTS = 3;

  /** How long a write may go on when its statement has failed elsewhere: most end by themselves. */
  private static final long WRITE_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SessionShards shards;
  private final Session session;
  private final boolean inTransaction;
  private final SessionSettings settings;
  private final DnId dn;
  private final String physicalSchema;
  private final ShardStatement statement;
  private final RowAccess access;
  private StatementViews views;
  private final ShardCall call;
  private final Queue<Condition> told = new ConcurrentLinkedQueue<>();
  private @Nullable Branch used;
  private boolean dropped;
  private boolean givenUp;
  private int attempts = 1;

  /** One that is not on its way yet. */
  ShardLaunch(
      SessionShards shards,
      DnId dn,
      String physicalSchema,
      ShardStatement statement,
      RowAccess access,
      StatementViews views,
      Runnable onAnswer) {
    this.shards = shards;
    this.session = shards.session();
    this.inTransaction = session.transaction().open();
    this.settings = shards.settings();
    this.dn = dn;
    this.physicalSchema = physicalSchema;
    this.statement = statement;
    this.access = access;
    this.views = views;
    this.call = new ShardCall(this::complete, onAnswer, statement::binaryRows);
    call.sentAgainBy(this::sendsAgain);
  }

  ShardCall call() {
    return call;
  }

  /** Its warnings; thread-safe. */
  Queue<Condition> told() {
    return told;
  }

  void run() {
    if (shards.left()) {
      unsent();
      return;
    }
    Branch view = views.branch(dn);
    try {
      if (view != null) {
        taken(view);
      } else if (inTransaction) {
        session.transaction().branch(dn, settings, physicalSchema, access, this);
      } else {
        shards.waits().begins(this);
        session.transaction().takeAlone(dn, settings, physicalSchema, access, this);
      }
    } catch (AlraiException notSent) {
      shards.waits().ends(this);
      call.refuse(notSent);
    }
  }

  /** Another connection does as well where nothing has run on the one that was lost. */
  private boolean sendsAgain(AlraiException lost) {
    Branch stale = used;
    if (stale == null
        || !lost.hasNotRun()
        || attempts == MOST_ATTEMPTS
        || inTransaction
        || views.branch(dn) != null
        || dropped
        || call.discarded()) {
      return false;
    }
    attempts++;
    shards.workingBranches().remove(stale);
    stale.close();
    used = null;
    run();
    return true;
  }

  /** Whether it reads current rows that must not contradict what was read elsewhere. */
  private boolean watches() {
    return access == RowAccess.CONSISTENT
        && views.isNone()
        && !inTransaction
        && !session.reads().eventual()
        && !session.transaction().held().tableLocks().held()
        && !settings.readsUncommitted();
  }

  /** Transactions over several DNs are being committed here. */
  private void readAtSnapshot() {
    used = null;
    shards
        .openViews(List.of(dn), settings, true)
        .whenComplete((opened, error) -> {
          if (error != null) {
            call.refuse(AlraiException.causeOf(error));
          } else {
            views = opened;
            run();
          }
        });
  }

  private void again(Branch disturbed) {
    if (call.discarded()) {
      call.end(0);
      return;
    }
    shards.workingBranches().remove(disturbed);
    disturbed.release();
    readAtSnapshot();
  }

  @Override
  public void taken(Branch branch) {
    shards.waits().ends(this);
    if (givenUp) {
      branch.release();
      return;
    }
    if (call.abandoned()) {
      if (!inTransaction && branch != views.branch(dn)) {
        branch.release();
      }
      unsent();
      return;
    }
    boolean watched = watches();
    if (watched) {
      branch.watch();
      if (branch.disturbed()) {
        branch.release();
        readAtSnapshot();
        return;
      }
    }
    used = branch;
    shards.workingBranches().add(branch);
    call.runsOn(branch);
    if (inTransaction) {
      call.failsAs(session.transaction()::told);
    }
    Runnable ending = () -> shards.loop().execute(() -> shards.end(branch));
    if (access.current()) {
      call.endsBy(ending, WRITE_PATIENCE_NANOS);
    } else {
      call.endsBy(ending);
    }
    if (!inTransaction) {
      BranchPreparation.queue(branch, settings, physicalSchema);
      branch.state().dependency(session.reads().stamp());
    }
    ReplySink reply = new WarningsFetch(call, branch, told);
    if (branch.state().schema().isEmpty()) {
      BranchPreparation.queue(branch, settings, statement.home());
    }
    statement.send(branch, watched ? new WatchedReply(reply, branch, () -> again(branch)) : reply);
  }

  /** Nobody wants it any more: the view that was opened for it ends unread. */
  private void unsent() {
    Branch view = views.branch(dn);
    if (view != null) {
      views.served(view);
    }
    call.refuse(AlraiException.interruption());
  }

  @Override
  public boolean sendsText() {
    return statement.isSmallText();
  }

  @Override
  public void refused(AlraiException reason) {
    shards.waits().ends(this);
    if (!givenUp) {
      call.refuse(reason);
    }
  }

  /** It waits for a branch of its own, and has had its time. */
  void giveUp(AlraiException reason) {
    givenUp = true;
    call.refuse(reason);
  }

  /**
   * It will be sent anew by another launch: nobody gets its reply or its warnings.
   *
   * @param over runs when its reply is not outstanding any more
   */
  void drop(Runnable over) {
    dropped = true;
    shards.forget(this);
    Branch branch = used;
    if (branch == null) {
      over.run();
      return;
    }
    views.unfollow(branch);
    call.drop(shards.loop(), () -> shards.kill(branch), over);
  }

  private void complete() {
    Branch branch = used;
    if (branch == null || dropped) {
      return;
    }
    if (branch == views.branch(dn)) {
      views.served(branch);
      return;
    }
    boolean atSnapshot =
        inTransaction
            && access == RowAccess.CONSISTENT
            && session.transaction().snapshot().isPresent();
    if (!atSnapshot) {
      session.reads().saw(shards.source().views(branch.dn()).visibleStamp());
    }
    shards.workingBranches().remove(branch);
    if (!inTransaction) {
      branch.release();
    }
  }
}
