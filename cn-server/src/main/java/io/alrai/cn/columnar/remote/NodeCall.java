package io.alrai.cn.columnar.remote;

import org.apache.arrow.flight.FlightStream;

/**
 * A query that is under way on a column node. One thread reads; any cancels.
 *
 * @param awaited knows for how long its reader waits
 * @param ended to be run when the stream has been closed
 */
record NodeCall(FlightStream stream, AwaitedCall awaited, Runnable ended) {
  /** Waits for the next batch; false after the last. */
  boolean next() {
    return awaited.next(stream::next);
  }

  void cancel(String why) {
    awaited.cancel(why);
  }

  /** Frees what is left of it. */
  void close() throws Exception {
    try {
      stream.close();
    } finally {
      ended.run();
    }
  }
}
