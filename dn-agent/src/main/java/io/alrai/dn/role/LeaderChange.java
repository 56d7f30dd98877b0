package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** That another member shall lead: asked for, and then done or refused. Thread-safe. */
final class LeaderChange {
  /** A member that has not answered its leader for so long is not asked to lead. */
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private final String to;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  LeaderChange(String to) {
    this.to = to;
  }

  /** Who shall lead. */
  String to() {
    return to;
  }

  /** Completes when that one is elected; fails with an {@link AlraiException}. */
  CompletableFuture<Void> done() {
    return done;
  }

  void fulfil() {
    done.complete(null);
  }

  void refuse(String sentence) {
    done.completeExceptionally(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence));
  }

  /**
   * Looks whether the member can lead, as far as its leader knows; it is refused where it cannot.
   *
   * @param leader its name
   */
  boolean isFit(String leader, GroupLog groupLog) {
    List<GroupMember> members = groupLog.members();
    Optional<GroupMember> member =
        members.stream().filter(other -> other.name().equals(to)).findFirst();
    Duration silence = groupLog.silences().getOrDefault(to, Duration.ZERO);
    if (member.isEmpty()) {
      List<String> names = members.stream().map(GroupMember::name).toList();
      refuse(to + " is no member of the group of " + leader + ", which has " + names);
    } else if (member.get().keeps() == Keeps.LOG) {
      refuse(to + " keeps the log alone and has no rows: it cannot lead");
    } else if (to.equals(leader)) {
      refuse(to + " leads already");
    } else if (silence.compareTo(SILENCE) > 0) {
      refuse(
          to
              + " has not answered its leader for "
              + silence.toMillis()
              + " ms: it can lead when it runs again, see SHOW STORAGE REPLICAS");
    } else {
      return true;
    }
    return false;
  }
}
