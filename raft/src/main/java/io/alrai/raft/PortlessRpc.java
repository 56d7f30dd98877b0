package io.alrai.raft;

import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/**
 * The transport of a group of one node in the same process as its users: there is nobody to talk
 * to, so there is no port, no event loop and no buffer. Ratis makes it by name.
 */
public final class PortlessRpc implements RpcType, ServerFactory {
  /** For Ratis, which finds the type by its class name. */
  public PortlessRpc() {}

  @Override
  public String name() {
    return PortlessRpc.class.getName();
  }

  @Override
  public PortlessRpc newFactory(Parameters parameters) {
    return this;
  }

  @Override
  public RpcType getRpcType() {
    return this;
  }

  @Override
  public RaftServerRpc newRaftServerRpc(RaftServer server) {
    return new Nobody(this);
  }

  private record Nobody(PortlessRpc type) implements RaftServerRpc {
    @Override
    public RpcType getRpcType() {
      return type;
    }

    @Override
    public void start() {
      // no port to open
    }

    @Override
    public void close() {
      // no port to close
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
      return InetSocketAddress.createUnresolved("in-process", 0);
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
      // the only peer is this node
    }

    @Override
    public void handleException(RaftPeerId peer, Exception e, boolean reconnect) {
      // there is no connection
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) {
      throw alone();
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) {
      throw alone();
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) {
      throw alone();
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(
        StartLeaderElectionRequestProto request) {
      throw alone();
    }

    private static UnsupportedOperationException alone() {
      return new UnsupportedOperationException("this member is alone and has no port");
    }
  }
}
