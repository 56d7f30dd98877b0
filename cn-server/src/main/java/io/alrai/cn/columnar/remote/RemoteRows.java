package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.wire.FlightErrors;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.exchange.BatchCursor;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.task.Cancellation;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.memory.ArrowBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a plan that ran on a column node, which come as they are read: no more than a batch
 * or two of them is here. One thread; the cancellation on any.
 */
final class RemoteRows implements PlanRows {
  private static final Logger log = LoggerFactory.getLogger(RemoteRows.class);

  private final String node;
  private final NodeCall call;
  private final FlightStream stream;
  private final List<ValueType> types;
  private final Cancellation cancellation;
  private final BatchCursor cursor;
  private final NodeMessages.ResultFacts facts;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** How many rows have been read. */
  private long given;

  /**
   * Waits until the plan has run to its end.
   *
   * @throws AlraiException what it failed with; nothing of the call is left then
   */
  RemoteRows(
      String node,
      NodeCall call,
      List<ValueType> types,
      RecordCodec codec,
      Cancellation cancellation) {
    this.node = node;
    this.call = call;
    this.stream = call.stream();
    this.types = List.copyOf(types);
    this.cancellation = cancellation;
    boolean begun = false;
    try {
      cancellation.whenCancelled(() -> call.cancel("the statement has ended"));
      if (!call.next()) {
        throw missing("it has sent nothing");
      }
      this.facts = codec.decode(metadata(), NodeMessages.ResultFacts.class);
      this.cursor = new BatchCursor(types, stream.getRoot());
      begun = true;
    } catch (RuntimeException e) {
      throw told(e);
    } finally {
      if (!begun) {
        close();
      }
    }
  }

  private byte[] metadata() {
    ArrowBuf buffer = stream.getLatestMetadata();
    if (buffer == null) {
      throw missing("its result has no beginning");
    }
    byte[] bytes = new byte[(int) buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  private AlraiException missing(String what) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "the column node " + node + ": " + what);
  }

  /** A cancelled query says so, whatever became of the call. */
  private AlraiException told(RuntimeException failure) {
    cancellation.check();
    if (Thread.currentThread().isInterrupted()) {
      return AlraiException.interruption(failure);
    }
    return FlightErrors.of(failure, node);
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public List<ValueType> columns() {
    return types;
  }

  @Override
  public long rows() {
    return facts.rows();
  }

  @Override
  public long spilledBytes() {
    return facts.spilledBytes();
  }

  @Override
  public boolean next() {
    try {
      while (!cursor.next()) {
        if (!call.next()) {
          return false;
        }
        cursor.restart();
      }
      given++;
      return true;
    } catch (RuntimeException e) {
      AlraiException failure = told(e);
      if (given == facts.rows()) {
        log.debug("the end of a result of {} was lost, of which all rows are here", node, e);
        return false;
      }
      throw failure;
    }
  }

  @Override
  public boolean isNull(int column) {
    return cursor.isNull(column);
  }

  @Override
  public long longAt(int column) {
    return cursor.longAt(column);
  }

  @Override
  public BigDecimal decimalAt(int column) {
    return cursor.decimalAt(column);
  }

  @Override
  public double doubleAt(int column) {
    return cursor.doubleAt(column);
  }

  @Override
  public byte[] bytesAt(int column) {
    return cursor.bytesAt(column);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        call.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        log.debug("the end of a result of {}", node, e);
      }
    }
  }
}
