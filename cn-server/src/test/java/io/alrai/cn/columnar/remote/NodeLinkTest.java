package io.alrai.cn.columnar.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.wire.MemberFlight;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.node.ColumnNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A link to a column node that is there for a while. */
@SuppressWarnings("try") // close() of a server may be interrupted
class NodeLinkTest {
  private final ClusterSecret secret = new ClusterSecret("of this cluster, and long");
  private final RecordCodec codec = NodeMessages.codec();
  private final CountDownLatch asked = new CountDownLatch(1);

  /** Tells its state until it is asked for something else; then it stands still. */
  private final class Standing extends NoOpFlightProducer {
    @Override
    public void getStream(CallContext call, Ticket ticket, ServerStreamListener listener) {
      asked.countDown();
    }

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

  private interface Use {
    void use(NodeLink link) throws Exception;
  }

  private void withLink(Use use) throws Exception {
    try (BufferAllocator allocator = new RootAllocator(16 << 20);
        FlightServer server =
            new MemberFlight(secret)
                .server(allocator, "127.0.0.1", 0, new Standing())
                .build()
                .start();
        NodeLink link = link(allocator, server.getPort())) {
      link.start();
      long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (link.known().isEmpty() && System.nanoTime() < patience) {
        Thread.onSpinWait();
      }
      use.use(link);
    }
  }

  private static void assertLost(Executable asking) {
    AlraiException lost =
        assertTimeout(Duration.ofSeconds(20), () -> assertThrows(AlraiException.class, asking));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), lost.errno());
  }

  @Test
  void whatItWasAskedEndsWhenItDoesNotAnswerAnyMore() throws Exception {
    withLink(link -> assertLost(() -> link.ask(NodeMessages.Question.REPORT, "a table", 60_000)));
  }

  @Test
  void aQueryThereEndsWhenItDoesNotAnswerAnyMore() throws Exception {
    PlanNode nothing = new PlanNode.Values(List.of(), List.of());
    AnalyticPlan plan = new AnalyticPlan(nothing, List.of(), List.of(), 0);
    NodeMessages.Query query =
        new NodeMessages.Query(
            new RemotePlans.Sent(plan, List.of(), HlcTimestamp.ZERO, 1 << 20), List.of());
    withLink(link ->
        assertLost(() ->
            new RemoteRows(
                "columnar-1",
                link.call(new NodeMessages.Ticket(7, query)),
                List.of(),
                codec,
                new Cancellation())));
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
