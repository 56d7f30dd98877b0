package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a leader sends whose appender to a member has failed and begins anew, after it has deleted
 * entries that this member may have; and a log that Ratis has closed by itself.
 */
class RestartedAppenderIT {
  @TempDir private Path directory;

  private static void append(LogGroup group, String leader, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      byte[] entry = ("entry " + i).getBytes(StandardCharsets.UTF_8);
      group.append(leader, entry).get(30, TimeUnit.SECONDS);
    }
  }

  private static List<String> entries(int count) {
    return IntStream.range(0, count).mapToObj(i -> "entry " + i).toList();
  }

  private static InstallSnapshotResult notified(
      LogGroup group, String leader, String follower, long first) throws Exception {
    RaftServer to = group.log(follower).server();
    RaftServer.Division division = to.getDivision(group.config(follower).id());
    TermIndex at =
        group
            .log(leader)
            .server()
            .getDivision(group.config(leader).id())
            .getRaftLog()
            .getTermIndex(first);
    InstallSnapshotReplyProto reply =
        to.installSnapshot(
            InstallSnapshotRequestProto.newBuilder()
                .setServerRequest(
                    RaftRpcRequestProto.newBuilder()
                        .setRequestorId(RaftPeerId.valueOf(leader).toByteString())
                        .setReplyId(RaftPeerId.valueOf(follower).toByteString())
                        .setRaftGroupId(
                            ProtoUtils.toRaftGroupIdProtoBuilder(division.getGroup().getGroupId())))
                .setLeaderTerm(division.getInfo().getCurrentTerm())
                .setNotification(
                    InstallSnapshotRequestProto.NotificationProto.newBuilder()
                        .setFirstAvailableTermIndex(at.toProto()))
                .build());
    return reply.getResult();
  }

  @Test
  void aMemberThatHasAllSkipsNothing() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      String follower = leader.equals("a") ? "b" : "a";
      append(group, leader, 0, 40);
      Eventually.await("all", () -> group.heard(follower).committed.size() == 40);
      assertEquals(
          InstallSnapshotResult.SNAPSHOT_UNAVAILABLE, notified(group, leader, follower, 20));
      assertEquals(InstallSnapshotResult.ALREADY_INSTALLED, notified(group, leader, follower, 20));
      // a majority of the follower and the leader
      group.stop("l");
      append(group, leader, 40, 60);
      Eventually.await("more", () -> group.heard(follower).committed.size() == 60);
      assertEquals(entries(60), group.heard(follower).committed);
      assertEquals(List.of(), group.heard(follower).skipped);
      assertEquals(List.of(), group.heard(follower).failures);
      group.stop(follower);
      group.start(follower);
      Eventually.await("all of it again", () -> group.heard(follower).committed.size() == 60);
    }
  }

  @Test
  void aLogThatHasClosedItselfIsReported() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      group.log("l").server().getDivision(group.config("l").id()).close();
      Eventually.await("the failure", () -> !group.heard("l").failures.isEmpty());
      TimeUnit.MILLISECONDS.sleep(1_500);
      assertEquals(1, group.heard("l").failures.size());
      String said = String.valueOf(group.heard("l").failures.getFirst().getMessage());
      assertTrue(said.contains("the log of l has closed itself"), said);
      group.stop("l");
      group.start("l");
      append(group, leader, 0, 10);
      Eventually.await("all", () -> group.heard("l").committed.size() == 10);
    }
  }
}
