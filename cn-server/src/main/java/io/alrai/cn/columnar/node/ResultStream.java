package io.alrai.cn.columnar.node;

import io.alrai.cn.columnar.wire.FlightErrors;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.exchange.BatchWriter;
import io.alrai.executor.task.Cancellation;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.ArrowBuf;

/**
 * Sends a result as fast as the CN takes it, and has the query end with the call: when the CN
 * cancels it, or its connection breaks. One thread sends; Flight's tell.
 */
final class ResultStream {
  /** How often it is looked at even if nothing is reported. */
  private static final long LOOK_MILLIS = 50;

  private final ServerStreamListener listener;
  private final Cancellation cancellation = new Cancellation();
  private final Semaphore news = new Semaphore(0);

  ResultStream(ServerStreamListener listener) {
    this.listener = listener;
    listener.setOnCancelHandler(() -> {
      cancellation.cancel();
      news.release();
    });
    listener.setOnReadyHandler(news::release);
  }

  /** The cancellation of the call's query. */
  Cancellation cancellation() {
    return cancellation;
  }

  /**
   * Sends all batches; there is one also without a row.
   *
   * @param first goes with the first of them
   * @param pace may wait; comes between batches
   * @throws AlraiException 1317 when the call ends meanwhile
   */
  void send(BatchWriter batches, ArrowBuf first, Runnable pace) {
    boolean begun = false;
    boolean more = true;
    listener.start(batches.root());
    while (more) {
      more = batches.fill();
      awaitRoom();
      if (begun) {
        listener.putNext();
        pace.run();
      } else {
        listener.putNext(first);
        begun = true;
      }
    }
  }

  private void awaitRoom() {
    try {
      while (!listener.isReady()) {
        check();
        if (news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          news.drainPermits();
        }
      }
      check();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  private void check() {
    if (listener.isCancelled()) {
      cancellation.cancel();
    }
    cancellation.check();
  }

  /** All is sent. */
  void end() {
    listener.completed();
  }

  /** Tells the CN, if it still listens. */
  void fail(AlraiException error) {
    if (!listener.isCancelled()) {
      listener.error(FlightErrors.status(error));
    }
  }
}
