package io.alrai.cn.columnar;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounded waiting for what other threads bring. */
public final class Waits {
  private static final long MOST_SECONDS = 15;

  private Waits() {}

  /**
   * Waits for an answer.
   *
   * @throws AlraiException what it failed with; ALRAI_NODE_UNAVAILABLE when it does not come;
   *     ER_QUERY_INTERRUPTED
   */
  public static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw AlraiException.causeOf(e);
    } catch (TimeoutException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "no answer within " + MOST_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }
}
