package io.alrai.common.thread;

import io.alrai.common.error.AlraiException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** The answer to a question that may block, for those who must not. */
public final class VirtualAnswer {
  private VirtualAnswer() {}

  /**
   * Asks on a virtual thread of its own.
   *
   * @param name of the thread
   * @return always completes: with the answer or with what the question has thrown; an interrupt is
   *     ER_QUERY_INTERRUPTED
   */
  public static <T> CompletableFuture<T> to(String name, Callable<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name(name)
        .start(() -> {
          try {
            answer.complete(question.call());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(AlraiException.interruption(e));
          } catch (Exception | VirtualMachineError e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }
}
