package io.alrai.gms.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.GmsCodec;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.command.Question;
import io.alrai.gms.member.MemberClients;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to a GMS over the wire. After a failed call the next one goes to another node, or to the
 * one that was named as leader.
 */
final class RemoteCalls implements LeaderCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCalls.class);

  /**
   * Longer than any {@link Question.Watch} waits. A leader that is stopped takes a request that it
   * never answers: with this, two tries and an election a CN keeps its lease of 3 s.
   */
  private static final long TIMEOUT_MILLIS = 1500;

  private final GmsCodec codec = new GmsCodec();
  private final String cluster;
  private final ClusterSecret secret;

  @GuardedBy("this")
  private GmsMembers members;

  private volatile RaftClient client;
  private volatile boolean closed;
  private volatile Optional<String> refusal = Optional.empty();

  /**
   * Calls to a group.
   *
   * @param leads who is asked first
   */
  RemoteCalls(String cluster, GmsMembers members, Optional<String> leads, ClusterSecret secret) {
    this.cluster = cluster;
    this.secret = secret;
    this.members = members;
    this.client = connect(members, leads);
  }

  private RaftClient connect(GmsMembers to, Optional<String> leads) {
    return MemberClients.of(
        GmsGroup.of(cluster, to.generation(), to.peers()),
        leads.map(RaftPeerId::valueOf),
        secret,
        TIMEOUT_MILLIS,
        this::refused);
  }

  /** The nodes are others now; calls that are under way fail, and are made again. */
  synchronized void move(GmsMembers to) {
    boolean same = to.generation() == members.generation() && to.peers().equals(members.peers());
    members = to;
    if (same || closed) {
      return;
    }
    RaftClient before = client;
    client = connect(to, Optional.empty());
    close(before);
  }

  private void refused(String sentence) {
    refusal = Optional.of(sentence);
    LOG.warn("GMS: {}", sentence);
  }

  /** Why a node is no member of this cluster, or this process is no member of its. */
  Optional<String> refusal() {
    return refusal;
  }

  @Override
  public Answer write(LogEntry entry) throws IOException {
    Message message = message(codec.encode(entry));
    return answer(asked -> asked.io().send(message));
  }

  @Override
  public Answer ask(Question question) throws IOException {
    Message message = message(codec.encode(question));
    return answer(asked ->
        question.confirmed()
            ? asked.io().sendReadOnly(message)
            : asked.io().sendReadOnlyNonLinearizable(message));
  }

  private Answer answer(Call call) throws IOException {
    if (closed) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "the client of the GMS has been closed");
    }
    try {
      RaftClientReply reply = send(call);
      if (!reply.isSuccess()) {
        throw new IOException("the GMS did not take the request", reply.getException());
      }
      return codec.decode(reply.getMessage().getContent().toByteArray(), Answer.class);
    } catch (StateMachineException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "the GMS does not understand: " + e.getMessage(), e);
    } catch (InterruptedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw AlraiException.interruption(e);
      }
      throw e;
    }
  }

  /** A client that is closed under a request fails in any way. */
  private RaftClientReply send(Call call) throws IOException {
    RaftClient asked = client;
    try {
      return call.to(asked);
    } catch (RuntimeException e) {
      if (asked == client && !closed) {
        throw e;
      }
      throw new IOException("the connection to the GMS was closed under the request", e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    close(client);
  }

  private static void close(RaftClient last) {
    try {
      last.close();
    } catch (IOException e) {
      LOG.info("the connection to the GMS did not close in order", e);
    }
  }

  private static Message message(byte[] content) {
    return Message.valueOf(UnsafeByteOperations.unsafeWrap(content));
  }

  private interface Call {
    RaftClientReply to(RaftClient asked) throws IOException;
  }
}
