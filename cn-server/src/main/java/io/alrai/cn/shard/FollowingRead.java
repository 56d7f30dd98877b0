package io.alrai.cn.shard;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.snapshot.SnapshotOpening.Follower;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import java.util.function.Function;

/**
 * A statement's read on one DN. It is sent right after the opening of its view where that is
 * possible, else when all views are open. Event loop only.
 */
final class FollowingRead implements Follower {
  private final DnId dn;
  private final StatementViews views;
  private final Function<Runnable, ShardLaunch> launches;
  private final Runnable onAnswer;
  private ShardLaunch launch;
  private boolean sent;
  private boolean answered;
  private boolean started;

  /**
   * A read that is not sent yet.
   *
   * @param views which serve it
   * @param launches gives it anew each time it has to be sent, with what is to run when it is
   *     answered
   * @param onAnswer runs once when it is answered and has been {@link #start started}
   */
  FollowingRead(
      DnId dn, StatementViews views, Function<Runnable, ShardLaunch> launches, Runnable onAnswer) {
    this.dn = dn;
    this.views = views;
    this.launches = launches;
    this.onAnswer = onAnswer;
    this.launch = launches.apply(this::answered);
  }

  DnId dn() {
    return dn;
  }

  private void answered() {
    answered = true;
    if (started) {
      onAnswer.run();
    }
  }

  @Override
  public void follow(Branch branch) {
    sent = true;
    views.follow(branch);
    launch.taken(branch);
  }

  @Override
  public void drop(Runnable dropped) {
    ShardLaunch old = launch;
    sent = false;
    answered = false;
    launch = launches.apply(this::answered);
    old.drop(dropped);
  }

  /** All views are open: it is sent if it was not yet, and its call may be read. */
  ShardCall start() {
    started = true;
    if (!sent) {
      launch.run();
    } else if (answered) {
      onAnswer.run();
    }
    return launch.call();
  }
}
