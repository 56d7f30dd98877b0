package io.alrai.dn.raft;

import io.alrai.common.net.HostPort;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a member with rows elected as soon as its leader's process is seen to be gone, as its port
 * refuses connections: one that only waits lets up to two election timeouts pass. An election may
 * begin at any time, so nothing depends on the port but how soon. A machine that is gone refuses
 * nothing, and is waited for. Runs on the thread of an executor, for a tenth of a second where
 * addresses are numbers.
 */
final class DeadLeader {
  private static final Logger log = LoggerFactory.getLogger(DeadLeader.class);
  private static final long LOOK_MILLIS = 100;

  /**
   * Longer than between two heartbeats of a leader that has nothing to send: half of the least
   * election timeout, of 500 ms. Where they are rarer it connects more often, and finds it open.
   */
  private static final long SILENT_MILLIS = 300;

  private static final int CONNECT_MILLIS = 100;

  /** More for each member that may begin before it. */
  private static final long RANK_MILLIS = 100;

  /** No look for 10 s after an election: a port that says the wrong thing is to cost little. */
  private static final int LOOKS_LEFT_OUT = 100;

  private final GroupConfig config;
  private final RaftServer server;
  private final Supplier<Optional<RaftServer.Division>> division;
  private int leaveOut;

  /** Nobody is looked at yet. */
  DeadLeader(
      GroupConfig config, RaftServer server, Supplier<Optional<RaftServer.Division>> division) {
    this.config = config;
    this.server = server;
    this.division = division;
  }

  /** Looks from now on, where this member can lead. */
  void lookOn(ScheduledExecutorService executor) {
    if (config.own().keeps() == Keeps.ROWS) {
      executor.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    if (leaveOut > 0) {
      leaveOut--;
      return;
    }
    try {
      Optional<RaftServer.Division> open = division.get();
      Optional<ServerRpcProto> silent = open.flatMap(this::silent);
      if (silent.isPresent() && refuses(silent.get().getId().getAddress())) {
        elect(open.get(), silent.get());
      }
    } catch (IOException | RuntimeException e) {
      log.warn("{} does not look at its leader: {}", config.name(), e.toString());
    }
  }

  /** The leader that this member follows, where it has not heard of it for some time. */
  private Optional<ServerRpcProto> silent(RaftServer.Division open) {
    OptionalInt rank = rank(open);
    return Optional.of(open.getInfo())
        .filter(info -> info.isFollower() && rank.isPresent())
        .map(DivisionInfo::getRoleInfoProto)
        .filter(RoleInfoProto::hasFollowerInfo)
        .map(RoleInfoProto::getFollowerInfo)
        .filter(FollowerInfoProto::hasLeaderInfo)
        .map(FollowerInfoProto::getLeaderInfo)
        .filter(leader -> !leader.getId().getAddress().isEmpty())
        .filter(leader ->
            leader.getLastRpcElapsedTimeMs() > SILENT_MILLIS + RANK_MILLIS * rank.getAsInt());
  }

  /**
   * Its place among those that may be elected, so that they do not begin at once; empty for one
   * that does not vote in what may come: others would not listen to it.
   */
  private OptionalInt rank(RaftServer.Division open) {
    List<String> others =
        open.getRaftConf().getCurrentPeers().stream()
            .map(RaftPeer::getId)
            .filter(id -> !id.equals(open.getInfo().getLeaderId()))
            .map(RaftPeerId::toString)
            .sorted()
            .toList();
    int rank = others.indexOf(config.name());
    return rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank);
  }

  /** Whether all of its addresses do. */
  private static boolean refuses(String address) throws IOException {
    HostPort place = HostPort.parse(address);
    for (InetAddress each : InetAddress.getAllByName(place.host())) {
      if (!refuses(new InetSocketAddress(each, place.port()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean refuses(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // it may only be far away
    }
  }

  /** As if the leader had asked for it, which is how a lead is handed over. */
  private void elect(RaftServer.Division open, ServerRpcProto leader) throws IOException {
    TermIndex last = open.getRaftLog().getLastEntryTermIndex();
    if (last == null) {
      return;
    }
    boolean begins =
        server
            .startLeaderElection(
                StartLeaderElectionRequestProto.newBuilder()
                    .setServerRequest(
                        RaftRpcRequestProto.newBuilder()
                            .setRequestorId(leader.getId().getId())
                            .setReplyId(config.self().toByteString())
                            .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(config.id())))
                    .setLeaderLastEntry(
                        TermIndexProto.newBuilder()
                            .setTerm(last.getTerm())
                            .setIndex(last.getIndex()))
                    .build())
            .getServerReply()
            .getSuccess();
    if (begins) {
      leaveOut = LOOKS_LEFT_OUT;
      log.warn(
          "{}: the process of {}, which leads, is gone: {} refuses connections; it wants to lead",
          config.name(),
          leader.getId().getId().toStringUtf8(),
          leader.getId().getAddress());
    }
  }
}
