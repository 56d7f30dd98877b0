package io.alrai.gms.server;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.GmsCodec;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.command.Question;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Calls to a GMS node in the same process: objects handed over, no socket. */
final class InProcessCalls implements LeaderCalls {
  private static final long TIMEOUT_MILLIS = 3000;

  private final GmsCodec codec = new GmsCodec();
  private final ClientId client = ClientId.randomId();
  private final AtomicLong callId = new AtomicLong();
  private final RaftServer raft;
  private final RaftGroupId group;
  private final CompletableFuture<AlraiException> failure;

  InProcessCalls(RaftServer raft, RaftGroupId group, CompletableFuture<AlraiException> failure) {
    this.raft = raft;
    this.group = group;
    this.failure = failure;
  }

  @Override
  public Answer write(LogEntry entry) throws IOException {
    return call(codec.encode(entry), RaftClientRequest.writeRequestType());
  }

  @Override
  public Answer ask(Question question) throws IOException {
    return call(codec.encode(question), RaftClientRequest.readRequestType(!question.confirmed()));
  }

  private Answer call(byte[] content, RaftClientRequest.Type type) throws IOException {
    if (failure.isDone()) {
      throw failure.join();
    }
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(raft.getId())
            .setGroupId(group)
            .setCallId(callId.incrementAndGet())
            .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(content)))
            .setType(type)
            .build();
    try {
      RaftClientReply reply =
          raft.submitClientRequestAsync(request).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      if (!reply.isSuccess()) {
        throw new IOException("the GMS node did not take the request", reply.getException());
      }
      return codec.decode(reply.getMessage().getContent().toByteArray(), Answer.class);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    } catch (ExecutionException | TimeoutException e) {
      if (failure.isDone()) {
        throw failure.join();
      }
      throw new IOException("the GMS node gave no answer", e);
    }
  }

  @Override
  public void close() {
    // the server is its starter's to close
  }
}
