package io.alrai.dn.raft;

import io.alrai.dn.raft.GroupMember.Keeps;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.DivisionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member without rows has the longest log at times: it leads for as short as it can. */
final class ShortLead implements LeaderHandover {
  private static final Logger log = LoggerFactory.getLogger(ShortLead.class);
  private static final long PAUSE_MILLIS = 20;

  private final GroupConfig config;
  private final Supplier<Optional<DivisionInfo>> info;
  private final Predicate<String> hasRows;
  private final Function<String, CompletableFuture<Void>> handOver;
  private final ScheduledExecutorService thread;

  ShortLead(
      GroupConfig config,
      Supplier<Optional<DivisionInfo>> info,
      Predicate<String> hasRows,
      Function<String, CompletableFuture<Void>> handOver,
      ScheduledExecutorService thread) {
    this.config = config;
    this.info = info;
    this.hasRows = hasRows;
    this.handOver = handOver;
    this.thread = thread;
  }

  @Override
  public boolean handsOver() {
    if (config.own().keeps() == Keeps.ROWS) {
      return false;
    }
    thread.execute(this::handToOneWithRows);
    return true;
  }

  /** Asks one after the other; when none can lead they are asked again after a pause. */
  private void handToOneWithRows() {
    for (String name : successors()) {
      if (!isLeader()) {
        return;
      }
      try {
        handOver.apply(name).join();
        return;
      } catch (RuntimeException e) {
        log.warn("{} could not hand over to {}: {}", config.name(), name, e.toString());
      }
    }
    if (isLeader() && !thread.isShutdown()) {
      thread.schedule(this::handToOneWithRows, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Also while it does not know yet that it is ready. */
  private boolean isLeader() {
    return info.get().map(DivisionInfo::isLeader).orElse(false);
  }

  /** The one that has answered last first: that it lives counts for more than what it has. */
  private List<String> successors() {
    return info.get()
        .map(now ->
            now.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                .sorted(Comparator.comparingLong(ServerRpcProto::getLastRpcElapsedTimeMs))
                .map(follower -> follower.getId().getId().toStringUtf8())
                .filter(hasRows)
                .toList())
        .orElse(List.of());
  }
}
