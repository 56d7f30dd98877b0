package io.alrai.microbench;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.Effect;
import io.alrai.dn.gate.Gate;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Steps of a gate at which no snapshot waits. Its effects are queued, as in a life of a mysqld. */
@State(Scope.Thread)
public class GateBench {
  private static final String FILE = "binlog.000001";
  private static final NodeId CN = new NodeId("cn-1");
  private static final DnId DN = new DnId("dn-1");
  private static final int TRANSACTION_BYTES = 400;

  private final Queue<Effect> effects = new ArrayDeque<>();
  private final Gate gate =
      new Gate(
          NodeClock.inMemory(new HybridLogicalClock(System::currentTimeMillis)),
          new BinlogPosition(FILE, 0),
          effects::add);
  private long offset;
  private long number;

  /** A gate that has recovered. */
  public GateBench() {
    gate.recovered(Set.of());
  }

  private BinlogPosition nextEnd() {
    offset += TRANSACTION_BYTES;
    return new BinlogPosition(FILE, offset);
  }

  private void carryOut(Blackhole out) {
    Effect effect;
    while ((effect = effects.poll()) != null) {
      out.consume(effect);
    }
  }

  /**
   * A commit on one DN, of a session that has seen the one before, arrives, is stamped, durable and
   * acknowledged.
   */
  @Benchmark
  public void commit(Blackhole out) {
    BinlogPosition end = nextEnd();
    gate.arrived(new Arrival.Plain(end, gate.visibleStamp()), true);
    gate.durable(end);
    carryOut(out);
  }

  /** A commit over several DNs at its primary: from its PREPARE until it is forgotten. */
  @Benchmark
  public void decision(Blackhole out) {
    TransactionId id = new TransactionId(CN, 1, ++number, DN);
    gate.decide(id, gate.preCommit(id));
    if (!(effects.poll() instanceof Effect.SubmitDecision submitted)) {
      throw new IllegalStateException("the decision waits");
    }
    BinlogPosition end = nextEnd();
    gate.arrived(new Arrival.Decision(end, id, submitted.commitTs()), true);
    gate.durable(end);
    carryOut(out);
    gate.forget(id);
  }
}
