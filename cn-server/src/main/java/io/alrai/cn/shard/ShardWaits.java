package io.alrai.cn.shard;

import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What of a session's statement waits for a connection or for views of its own, to be given up
 * after its time. Event loop only.
 */
public final class ShardWaits {
  private final Set<ShardLaunch> launches = new HashSet<>();
  private final Set<SnapshotOpening> openings = new HashSet<>();

  ShardWaits() {}

  /** It waits for a branch, outside of a transaction. */
  void begins(ShardLaunch launch) {
    launches.add(launch);
  }

  /** It waits no longer. */
  void ends(ShardLaunch launch) {
    launches.remove(launch);
  }

  /** Views are being opened until that is done. */
  <T> CompletableFuture<T> during(SnapshotOpening opening, CompletableFuture<T> opens) {
    openings.add(opening);
    return opens.whenComplete((opened, error) -> openings.remove(opening));
  }

  /**
   * Ends the waits; those who wait get the reason.
   *
   * @param views whether for those of views, too, whose connections are closed
   */
  public void giveUp(AlraiException reason, boolean views) {
    List<ShardLaunch> waiting = new ArrayList<>(launches);
    List<SnapshotOpening> opening = views ? new ArrayList<>(openings) : List.of();
    launches.removeAll(waiting);
    opening.forEach(openings::remove);
    waiting.forEach(launch -> launch.giveUp(reason));
    opening.forEach(SnapshotOpening::abandon);
  }
}
