package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.wire.NodeMessages;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queries that are under way over one connection to a column node. A query may work for hours:
 * so where its reader waits for long, the node is asked for that query. One that the node does not
 * know, or that comes no further there, is cancelled. One thread looks; the rest is thread-safe.
 */
final class RunningCalls {
  private static final Logger log = LoggerFactory.getLogger(RunningCalls.class);

  /** After such a wait the node is asked, and then again and again. */
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** After such a wait for a query that comes further the log says so. */
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How long a query that has had its turn may get no processor time and send nothing. */
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(120);

  /** What a query has done that waits. */
  private static final long WAITS = -2;

  private final String node;
  private final LongSupplier nanos;
  private final Set<AwaitedCall> calls = ConcurrentHashMap.newKeySet();
  private long askedNanos;

  /**
   * No call is running yet.
   *
   * @param nanos the time
   */
  RunningCalls(String node, LongSupplier nanos) {
    this.node = node;
    this.nanos = nanos;
    this.askedNanos = nanos.getAsLong();
  }

  /**
   * One was begun.
   *
   * @param cancel ends it, for a reason
   */
  AwaitedCall begun(long id, Consumer<String> cancel) {
    AwaitedCall call = new AwaitedCall(id, cancel, nanos);
    calls.add(call);
    return call;
  }

  void ended(AwaitedCall call) {
    calls.remove(call);
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  void cancel(String why) {
    calls.forEach(call -> call.cancel(why));
  }

  /**
   * Asks for those that have been waited for for long, if there are any.
   *
   * @param inquiry what the node says of queries by their numbers
   */
  void look(Function<NodeMessages.Running, NodeMessages.Progress> inquiry) {
    long now = nanos.getAsLong();
    List<AwaitedCall> silent =
        calls.stream().filter(call -> call.silence(now) >= ASK_NANOS).toList();
    if (silent.isEmpty() || now - askedNanos < AGAIN_NANOS) {
      return;
    }
    askedNanos = now;
    Map<Long, NodeMessages.Step> known =
        inquiry
            .apply(new NodeMessages.Running(silent.stream().map(AwaitedCall::id).toList()))
            .steps()
            .stream()
            .collect(Collectors.toMap(NodeMessages.Step::id, Function.identity()));
    for (AwaitedCall call : silent) {
      NodeMessages.Step step = known.get(call.id());
      if (call.silence(now) < ASK_NANOS) {
        continue; // something has come meanwhile
      }
      if (step == null) {
        if (call.noteUnknown() > 1) {
          end(call, now, "the node does not know it any more");
        }
      } else {
        judge(call, now, step);
      }
    }
  }

  private void judge(AwaitedCall call, long now, NodeMessages.Step step) {
    long still = call.standsStill(now, step.waits() ? WAITS : step.done());
    if (still >= STILL_NANOS && !step.waits()) {
      end(call, now, "it comes no further");
    } else if (call.silence(now) >= TELL_NANOS && call.noteTold()) {
      log.info("a query has been at work on {} for {} s", node, seconds(call.silence(now)));
    }
  }

  private void end(AwaitedCall call, long now, String why) {
    log.warn(
        "a query on {} is ended, as nothing has come for {} s: {}",
        node,
        seconds(call.silence(now)),
        why);
    call.cancel("nothing has come for long: " + why);
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }
}
