package io.alrai.dn.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks members of a group how they are, whoever leads. Blocking; any thread. */
final class MemberQuestions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MemberQuestions.class);
  private static final long TIMEOUT_MILLIS = 1_000;

  private final GroupConfig config;
  private final Supplier<Optional<RaftGroup>> group;

  @GuardedBy("this")
  private @Nullable RaftClient client;

  @GuardedBy("this")
  private @Nullable RaftGroup asked;

  @GuardedBy("this")
  private boolean closed;

  /**
   * Nobody is asked yet.
   *
   * @param group as it is now; empty when the member ends
   */
  MemberQuestions(GroupConfig config, Supplier<Optional<RaftGroup>> group) {
    this.config = config;
    this.group = group;
  }

  /**
   * What a member says of itself.
   *
   * @throws IOException when it does not within a second
   */
  byte[] ask(String member) throws IOException {
    return ask(member, Message.EMPTY).toByteArray();
  }

  /**
   * The last entry of a member's log.
   *
   * @throws IOException as {@link #ask(String)}
   */
  LastEntry last(String member) throws IOException {
    return LastEntry.read(ask(member, LastEntry.QUESTION));
  }

  /**
   * Whether that member knows that the group goes on without this one. While a change of members is
   * at work nobody knows that.
   *
   * @throws IOException as {@link #ask(String)}
   */
  boolean doesWithoutThis(String member) throws IOException {
    GroupInfoReply reply =
        client().getGroupManagementApi(RaftPeerId.valueOf(member)).info(config.id());
    return reply
        .getConf()
        .filter(conf -> conf.getOldPeersCount() == 0)
        .map(conf ->
            conf.getPeersList().stream()
                .noneMatch(peer -> peer.getId().toStringUtf8().equals(config.name())))
        .orElse(false);
  }

  private ByteString ask(String member, Message question) throws IOException {
    RaftClientReply reply = client().io().sendStaleRead(question, 0, RaftPeerId.valueOf(member));
    if (!reply.isSuccess()) {
      throw new IOException(member + " does not answer", reply.getException());
    }
    return reply.getMessage().getContent();
  }

  private synchronized RaftClient client() throws IOException {
    RaftGroup now = group.get().orElseThrow(() -> new IOException(config.name() + " ends"));
    RaftClient present = client;
    if (closed) {
      throw new IOException(config.name() + " ends");
    }
    if (present != null && now.equals(asked)) {
      return present;
    }
    if (present != null) {
      present.close();
    }
    RaftClient made = connect(now);
    client = made;
    asked = now;
    return made;
  }

  private RaftClient connect(RaftGroup to) {
    RaftProperties settings = new RaftProperties();
    RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        settings, TimeDuration.valueOf(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
    return RaftClient.newBuilder()
        .setProperties(settings)
        .setParameters(GroupSettings.links(config))
        .setRaftGroup(to)
        .setRetryPolicy(RetryPolicies.noRetry())
        .build();
  }

  @Override
  public synchronized void close() {
    closed = true;
    RaftClient last = client;
    client = null;
    try {
      if (last != null) {
        last.close();
      }
    } catch (IOException e) {
      log.debug("{}: the links to its group did not close in order", config.name(), e);
    }
  }
}
