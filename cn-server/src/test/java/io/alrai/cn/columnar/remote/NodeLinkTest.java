package io.alrai.cn.columnar.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.alrai.cn.columnar.wire.MemberFlight;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.gms.api.ColumnNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** A link to a column node that is there for a while. */
@SuppressWarnings("try") // close() of a server may be interrupted
class NodeLinkTest {
  private final ClusterSecret secret = new ClusterSecret("of this cluster, and long");
  private final RecordCodec codec = NodeMessages.codec();
  private final CountDownLatch asked = new CountDownLatch(1);

  /** Tells its state until it is asked for something else; then it stands still. */
  private final class Standing extends NoOpFlightProducer {
    @Override
    public void doAction(CallContext call, Action action, StreamListener<Result> listener) {
      if (!action.getType().equals(NodeMessages.Question.STATE.name())) {
        asked.countDown();
      }
      if (asked.getCount() > 0) {
        listener.onNext(new Result(codec.encode(new NodeMessages.State(List.of()))));
        listener.onCompleted();
      }
    }
  }

  @Test
  void whatItWasAskedEndsWhenItDoesNotAnswerAnyMore() throws Exception {
    try (BufferAllocator allocator = new RootAllocator(16 << 20);
        FlightServer server =
            new MemberFlight(secret)
                .server(allocator, "127.0.0.1", 0, new Standing())
                .build()
                .start();
        NodeLink link = link(allocator, server.getPort())) {
      link.start();
      long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (link.known().isEmpty() && System.nanoTime() < patience) {
        Thread.onSpinWait();
      }
      AlraiException lost =
          assertTimeout(
              Duration.ofSeconds(20),
              () ->
                  assertThrows(
                      AlraiException.class,
                      () -> link.ask(NodeMessages.Question.REPORT, "a table", 60_000)));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), lost.errno());
    }
  }

  private NodeLink link(BufferAllocator allocator, int port) {
    return new NodeLink(
        new NodeId("cn-1"),
        new ColumnNode(new NodeId("columnar-1"), "127.0.0.1:" + port, 0),
        secret,
        allocator,
        codec);
  }
}
