package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.raft.GroupMember.Keeps;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupStateMachineTest {
  private static final class Nothing implements GroupEvents {
    @Override
    public void committed(long term, long index, ByteBuffer entry) {}

    @Override
    public void leads(long term) {}

    @Override
    public void follows() {}

    @Override
    public void dropped() {}

    @Override
    public void failed(Throwable reason) {}
  }

  private static RoleInfoProto ledBy(String name) {
    RaftPeerProto peer = RaftPeerProto.newBuilder().setId(ByteString.copyFromUtf8(name)).build();
    ServerRpcProto leader = ServerRpcProto.newBuilder().setId(peer).build();
    return RoleInfoProto.newBuilder()
        .setFollowerInfo(FollowerInfoProto.newBuilder().setLeaderInfo(leader))
        .build();
  }

  /** It forgets what is not settled, and a member that skips that does not find out. */
  @Test
  void whatAMemberWithoutRowsHasForgottenIsNotSkipped(@TempDir Path directory) {
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
    GroupStateMachine machine =
        new GroupStateMachine(config, new Nothing(), () -> false, "logger-1"::equals);
    CompletableFuture<TermIndex> skipped =
        machine.notifyInstallSnapshotFromLeader(ledBy("logger-1"), TermIndex.valueOf(3, 40));
    String reason = assertThrows(CompletionException.class, skipped::join).getMessage();
    assertTrue(reason.contains("logger-1 keeps the log alone"), reason);
  }
}
