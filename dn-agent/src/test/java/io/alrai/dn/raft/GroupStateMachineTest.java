package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.raft.GroupMember.Keeps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupStateMachineTest {
  private static RoleInfoProto ledBy(RaftPeer leader) {
    return RoleInfoProto.newBuilder()
        .setFollowerInfo(
            FollowerInfoProto.newBuilder()
                .setLeaderInfo(ServerRpcProto.newBuilder().setId(leader.getRaftPeerProto())))
        .build();
  }

  /** A member of a group that had rows alone when it last heard of it. */
  private static String refusal(Path directory, GroupMember leader) {
    GroupMember own = new GroupMember("b", "127.0.0.1:1", Keeps.ROWS);
    GroupConfig config =
        new GroupConfig(
            "g",
            own,
            List.of(own),
            directory,
            Optional.empty(),
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            LogBounds.standard());
    Membership members =
        new Membership(
            config,
            Optional::empty,
            Map::of,
            change -> CompletableFuture.failedFuture(new IllegalStateException()));
    GroupStateMachine machine =
        new GroupStateMachine(
            config, new DeafEvents(Assertions::fail), () -> false, members::hasRows);
    CompletableFuture<TermIndex> skipped =
        machine.notifyInstallSnapshotFromLeader(
            ledBy(Membership.peer(leader)), TermIndex.valueOf(3, 40));
    return assertThrows(CompletionException.class, skipped::join).getMessage();
  }

  /**
   * It forgets what is not settled, and a member that skips that does not find out. One that joined
   * while this member was away is in nothing that this one has heard.
   */
  @Test
  void whatAMemberWithoutRowsHasForgottenIsNotSkipped(@TempDir Path directory) {
    String reason = refusal(directory, new GroupMember("logger-2", "127.0.0.1:2", Keeps.LOG));
    assertTrue(reason.contains("logger-2 keeps the log alone"), reason);
  }
}
