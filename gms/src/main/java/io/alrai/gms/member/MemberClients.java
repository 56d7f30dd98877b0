package io.alrai.gms.member;

import io.alrai.common.secret.ClusterSecret;
import io.alrai.raft.MemberLinks;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.util.TimeDuration;

/** Makes Ratis' clients, which show the cluster's secret and repeat nothing. Stateless. */
public final class MemberClients {
  private MemberClients() {}

  /**
   * A client of a group.
   *
   * @param leader who is asked first
   * @param timeoutMillis of a request
   * @param refused learns, from time to time, that a node is no member of this cluster
   */
  public static RaftClient of(
      RaftGroup group,
      Optional<RaftPeerId> leader,
      ClusterSecret secret,
      long timeoutMillis,
      Consumer<String> refused) {
    RaftProperties settings = new RaftProperties();
    RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        settings, TimeDuration.valueOf(timeoutMillis, TimeUnit.MILLISECONDS));
    RaftClient.Builder builder = RaftClient.newBuilder();
    leader.ifPresent(builder::setLeaderId);
    return builder
        .setProperties(settings)
        .setParameters(MemberLinks.parameters(secret, refused))
        .setRaftGroup(group)
        .setRetryPolicy(RetryPolicies.noRetry())
        .build();
  }
}
