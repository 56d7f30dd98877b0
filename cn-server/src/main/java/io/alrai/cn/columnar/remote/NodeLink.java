package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.wire.FlightErrors;
import io.alrai.cn.columnar.wire.MemberFlight;
import io.alrai.cn.columnar.wire.MemberProof;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.node.ColumnNode;
import io.grpc.Context;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One column node. A thread of its own asks it five times a second how its indexes are; a node that
 * is down has none, and what it was to answer ends. Thread-safe.
 *
 * <pre>
 *  DOWN --answers--> UP --no answer for 800 ms--> LATE --again--> DOWN
 *                    |  <--------answers---------
 *                    +----error: the connection, the secret--> DOWN
 * </pre>
 *
 * One that is late has no index for new plans; what runs there goes on.
 */
final class NodeLink implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeLink.class);
  private static final long LOOK_MILLIS = 200;
  private static final long ANSWER_MILLIS = 800;

  /** So often in a row an answer may be late. */
  private static final int MOST_LATE = 2;

  private static final long STOP_MILLIS = 5_000;
  private static final String SILENT = "the column node does not answer";

  private final NodeId self;
  private final ColumnNode node;
  private final ClusterSecret secret;
  private final MemberFlight flight;
  private final BufferAllocator allocator;
  private final RecordCodec codec;
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private volatile Optional<Map<Long, Known>> known = Optional.empty();
  private volatile boolean closed;

  /** An index as it was last reported. */
  record Known(byte[] encoded, Table table, NodeMessages.IndexState state) {}

  /** A client, what runs over it, and the life of what it was asked. */
  private record Connection(
      FlightClient client, RunningCalls running, Context.CancellableContext questions) {
    /** Ends what runs; the client goes when that has been closed. */
    void end() {
      questions.cancel(null);
      running.cancel(SILENT);
      Thread.ofVirtual()
          .start(() -> {
            try {
              while (!running.isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
              }
              client.close();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
              log.warn("a connection to a column node leaves something", e);
            }
          });
    }
  }

  /**
   * The link to a node at its address.
   *
   * @param self this process
   * @param allocator of batches
   */
  NodeLink(
      NodeId self,
      ColumnNode node,
      ClusterSecret secret,
      BufferAllocator allocator,
      RecordCodec codec) {
    this.self = self;
    this.node = node;
    this.secret = secret;
    this.flight = new MemberFlight(secret);
    this.allocator = allocator;
    this.codec = codec;
    this.thread = Thread.ofVirtual().name("columns-of-" + node.id()).unstarted(this::watch);
  }

  void start() {
    thread.start();
  }

  String name() {
    return node.id().name();
  }

  /** Whether it leads to just that. */
  boolean isTo(ColumnNode other) {
    return other.id().equals(node.id()) && other.address().equals(node.address());
  }

  /** Its indexes by the id of their table; empty while it does not answer. */
  Optional<Map<Long, Known>> known() {
    return known;
  }

  private void watch() {
    int late = 0;
    while (!closed) {
      try {
        look();
        lookAtCalls();
        late = 0;
      } catch (RuntimeException e) {
        late = isLate(e) ? late + 1 : MOST_LATE;
        if (late < MOST_LATE) {
          unready(e);
        } else {
          lost(e);
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
  }

  private static boolean isLate(RuntimeException failure) {
    return failure instanceof FlightRuntimeException flight
        && flight.status().code() == FlightStatusCode.TIMED_OUT;
  }

  private void look() {
    NodeMessages.State state =
        ask(connected(), NodeMessages.Question.STATE, Optional.empty(), ANSWER_MILLIS)
            .map(bytes -> codec.decode(bytes, NodeMessages.State.class))
            .orElseThrow();
    Map<Long, Known> before = known.orElse(Map.of());
    Map<Long, Known> now = new HashMap<>();
    for (NodeMessages.IndexState index : state.indexes()) {
      Known last = before.get(index.tableId());
      Table table =
          last != null && Arrays.equals(last.encoded(), index.table())
              ? last.table()
              : codec.decode(index.table(), Table.class);
      now.put(index.tableId(), new Known(index.table(), table, index));
    }
    if (known.isEmpty()) {
      log.info("column node {} at {} answers", node.id(), node.address());
    }
    known = Optional.of(Map.copyOf(now));
  }

  private void lookAtCalls() {
    Connection over = connected();
    over.running()
        .look(asked ->
            ask(over, NodeMessages.Question.RUNNING, Optional.of(asked), ANSWER_MILLIS)
                .map(bytes -> codec.decode(bytes, NodeMessages.Progress.class))
                .orElseThrow());
  }

  /** The client; a new one where there is none. Only the node's thread. */
  private Connection connected() {
    Connection current = connection;
    if (current != null) {
      return current;
    }
    HostPort place = HostPort.parse(node.address());
    FlightClient client = flight.client(allocator, place.host(), place.port());
    Connection made =
        new Connection(
            client, new RunningCalls(name(), System::nanoTime), Context.ROOT.withCancellation());
    boolean proven = false;
    try {
      client.authenticate(new MemberProof(secret, self), within(ANSWER_MILLIS));
      proven = true;
    } finally {
      if (!proven) {
        made.end();
      }
    }
    connection = made;
    return made;
  }

  private static CallOption within(long millis) {
    return CallOptions.timeout(millis, TimeUnit.MILLISECONDS);
  }

  private void lost(RuntimeException why) {
    Connection gone = connection;
    connection = null;
    unready(why);
    if (gone != null) {
      gone.end();
    }
  }

  private void unready(RuntimeException why) {
    if (known.isPresent()) {
      log.warn(
          "column node {} at {} does not answer: {}", node.id(), node.address(), why.getMessage());
    }
    known = Optional.empty();
  }

  private Connection open() {
    Connection current = connection;
    if (current == null || known.isEmpty()) {
      throw unavailable();
    }
    return current;
  }

  private AlraiException unavailable() {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "the column node " + node.id() + " does not answer");
  }

  /**
   * Asks for something; that ends when the node is lost.
   *
   * @return empty where the node has no answer to that
   * @throws AlraiException the node's error, or ALRAI_NODE_UNAVAILABLE
   */
  Optional<byte[]> ask(NodeMessages.Question question, Object about, long millis) {
    try {
      return ask(open(), question, Optional.of(about), millis);
    } catch (RuntimeException e) {
      look(e);
      throw FlightErrors.of(e, name());
    }
  }

  /** Has a failure be noticed at once, if the node is what failed. */
  void look(RuntimeException failure) {
    if (FlightErrors.of(failure, name()).errno() == ErrorCode.ALRAI_NODE_UNAVAILABLE.errno()) {
      LockSupport.unpark(thread);
    }
  }

  private Optional<byte[]> ask(
      Connection over, NodeMessages.Question question, Optional<Object> about, long millis) {
    byte[] body = about.map(codec::encode).orElse(new byte[0]);
    Context before = over.questions().attach();
    try {
      Iterator<Result> answers =
          over.client().doAction(new Action(question.name(), body), within(millis));
      Optional<byte[]> first = Optional.empty();
      while (answers.hasNext()) {
        first = Optional.of(answers.next().getBody());
      }
      return first;
    } finally {
      over.questions().detach(before);
    }
  }

  /**
   * Begins a call; it is cancelled when the node is lost, and when the query is lost there.
   *
   * @return to be closed
   */
  NodeCall call(NodeMessages.Ticket ticket) {
    Connection over = open();
    FlightStream stream = over.client().getStream(new Ticket(codec.encode(ticket)));
    AwaitedCall awaited = over.running().begun(ticket.id(), why -> stream.cancel(why, null));
    NodeCall call = new NodeCall(stream, awaited, () -> over.running().ended(awaited));
    if (connection != over) {
      call.cancel(SILENT);
    }
    return call;
  }

  /** What is under way there ends. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    known = Optional.empty(); // which nobody needs to know
    lost(unavailable());
  }
}
