package io.alrai.cn.columnar.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.alrai.executor.fragment.ValueType;
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
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A link to a column node that is there for a while. */
@SuppressWarnings("try") // close() of a server may be interrupted
class NodeLinkTest {
  private static final long SUM = 400;

  private final ClusterSecret secret = new ClusterSecret("of this cluster, and long");
  private final RecordCodec codec = NodeMessages.codec();
  private final CountDownLatch asked = new CountDownLatch(1);

  private static final List<ValueType> TYPES = List.of(ValueType.bigint(true));

  /** The rows that a result is to have; one is sent of it, if it has any. */
  private int promised;

  /** Tells its state until it is asked for something else; then it stands still. */
  private final class Standing extends NoOpFlightProducer {
    private final BufferAllocator allocator;

    Standing(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    @Override
    public void getStream(CallContext call, Ticket ticket, ServerStreamListener listener) {
      if (promised > 0) {
        Field column = Field.nullable("c0", new ArrowType.Int(Long.SIZE, true));
        byte[] facts = codec.encode(new NodeMessages.ResultFacts(promised, 0));
        try (VectorSchemaRoot root =
            VectorSchemaRoot.create(new Schema(List.of(column)), allocator)) {
          listener.start(root);
          ((BigIntVector) root.getVector(0)).setSafe(0, SUM);
          root.setRowCount(1);
          ArrowBuf metadata = allocator.buffer(facts.length);
          metadata.writeBytes(facts);
          listener.putNext(metadata);
        }
      }
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
                .server(allocator, "127.0.0.1", 0, new Standing(allocator))
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

  private RemoteRows rows(NodeLink link, List<ValueType> types) {
    PlanNode nothing = new PlanNode.Values(List.of(), List.of());
    AnalyticPlan plan = new AnalyticPlan(nothing, List.of(), List.of(), 0);
    NodeMessages.Query query =
        new NodeMessages.Query(
            new RemotePlans.Sent(plan, List.of(), HlcTimestamp.ZERO, 1 << 20), List.of());
    return new RemoteRows(
        "columnar-1",
        link.call(new NodeMessages.Ticket(7, query)),
        types,
        codec,
        new Cancellation());
  }

  @Test
  void aQueryThereEndsWhenItDoesNotAnswerAnyMore() throws Exception {
    withLink(link -> assertLost(() -> rows(link, List.of())));
  }

  /** Its client has them by then: there is nothing to run elsewhere, and nothing to complain of. */
  @Test
  void aResultOfWhichAllRowsAreHereIsWholeWithoutItsEnd() throws Exception {
    promised = 1;
    withLink(link -> {
      try (RemoteRows rows = rows(link, TYPES)) {
        assertTrue(rows.next());
        assertEquals(SUM, rows.longAt(0));
        assertFalse(assertTimeout(Duration.ofSeconds(20), rows::next));
      }
    });
  }

  @Test
  void aResultOfWhichRowsAreMissingFails() throws Exception {
    promised = 2;
    withLink(link -> {
      try (RemoteRows rows = rows(link, TYPES)) {
        assertTrue(rows.next());
        assertLost(rows::next);
      }
    });
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
