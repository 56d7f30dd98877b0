package io.alrai.cn.columnar.node;

import io.alrai.cn.analytic.IndexStatistics;
import io.alrai.cn.analytic.SentPlans;
import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.LocalReports;
import io.alrai.cn.columnar.wire.FlightErrors;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.exchange.BatchWriter;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a column node answers. Thread-safe. */
public final class NodeProducer extends NoOpFlightProducer {
  private static final Logger log = LoggerFactory.getLogger(NodeProducer.class);

  private final RecordCodec codec = NodeMessages.codec();
  private final ColumnarService service;
  private final LocalReports reports;
  private final SentPlans plans;
  private final NodeId self;
  private final PeerScans peers;
  private final BufferAllocator allocator;
  private final RunningQueries running = new RunningQueries();

  /** A table as it is sent; the same object for as long as its index lives. */
  private final Map<Long, Encoded> tables = new ConcurrentHashMap<>();

  private record Encoded(Table table, byte[] bytes) {}

  /**
   * Over the indexes of a service.
   *
   * @param self this node
   * @param peers what other nodes have
   * @param allocator of batches
   */
  public NodeProducer(
      NodeId self,
      ColumnarService service,
      SentPlans plans,
      PeerScans peers,
      BufferAllocator allocator) {
    this.self = self;
    this.peers = peers;
    this.service = service;
    this.reports = new LocalReports(service);
    this.plans = plans;
    this.allocator = allocator;
  }

  /** Returns at once: only then does Flight report the end of the call, or room in it. */
  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    ResultStream stream = new ResultStream(listener);
    Thread.ofVirtual().name("query").start(() -> run(ticket.getBytes(), stream));
  }

  private void run(byte[] bytes, ResultStream stream) {
    try {
      NodeMessages.Ticket ticket = codec.decode(bytes, NodeMessages.Ticket.class);
      NodeMessages.Query query = ticket.query();
      try (RunningQueries.Query known = running.begun(ticket.id());
          PlanTables tables = new PlanTables(query, self, service, peers, stream.cancellation())) {
        plans.run(
            query.sent(),
            tables,
            stream.cancellation(),
            known::begins,
            opened -> send(opened, stream, known));
      }
      stream.end();
    } catch (AlraiException e) {
      stream.fail(e);
    } catch (RuntimeException e) {
      log.error("a plan that was sent failed by a defect", e);
      stream.fail(AlraiException.causeOf(e));
    }
  }

  private void send(SentPlans.Opened opened, ResultStream stream, RunningQueries.Query known) {
    PlanRows rows = opened.rows();
    try (BatchWriter batches = new BatchWriter(rows, allocator)) {
      NodeMessages.ResultFacts facts =
          new NodeMessages.ResultFacts(rows.rows(), rows.spilledBytes());
      Runnable pace =
          () -> {
            known.sent();
            opened.pace().run();
          };
      stream.send(batches, metadata(codec.encode(facts)), pace);
    }
  }

  private ArrowBuf metadata(byte[] bytes) {
    ArrowBuf buffer = allocator.buffer(bytes.length);
    buffer.writeBytes(bytes);
    return buffer;
  }

  @Override
  public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
    try {
      answer(action).ifPresent(answer -> listener.onNext(new Result(codec.encode(answer))));
      listener.onCompleted();
    } catch (AlraiException e) {
      listener.onError(FlightErrors.status(e));
    } catch (RuntimeException e) {
      log.error("{} failed by a defect", action.getType(), e);
      listener.onError(FlightErrors.status(AlraiException.causeOf(e)));
    }
  }

  private Optional<?> answer(Action action) {
    byte[] body = action.getBody();
    return switch (question(action.getType())) {
      case STATE -> Optional.of(state());
      case RUNNING -> Optional.of(running.progress(codec.decode(body, NodeMessages.Running.class)));
      case REPORT -> reports.report(codec.decode(body, Table.class));
      case CHECK ->
          reports.compare(codec.decode(body, Table.class)).map(NodeMessages.CheckedParts::new);
      case STATISTICS -> {
        NodeMessages.Look look = codec.decode(body, NodeMessages.Look.class);
        ColumnIndex index =
            service
                .index(look.table())
                .orElseThrow(() ->
                    new AlraiException(
                        ErrorCode.ALRAI_NODE_UNAVAILABLE,
                        "there is no column index of " + look.table().name() + " here"));
        yield Optional.of(IndexStatistics.at(index, new HlcTimestamp(look.at())));
      }
    };
  }

  private static NodeMessages.Question question(String type) {
    try {
      return NodeMessages.Question.valueOf(type);
    } catch (IllegalArgumentException e) {
      throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "column nodes have no " + type, e);
    }
  }

  private NodeMessages.State state() {
    List<NodeMessages.IndexState> states = new ArrayList<>();
    for (ColumnarService.Kept kept : service.kept()) {
      Table table = kept.table();
      Encoded encoded =
          tables.compute(
              table.id(),
              (id, known) ->
                  known != null && known.table() == table
                      ? known
                      : new Encoded(table, codec.encode(table)));
      states.add(
          new NodeMessages.IndexState(
              table.id(),
              encoded.bytes(),
              kept.index().name(),
              kept.givenUp(),
              kept.schemas(),
              kept.index().figures()));
    }
    tables.keySet().retainAll(states.stream().map(NodeMessages.IndexState::tableId).toList());
    return new NodeMessages.State(states);
  }
}
