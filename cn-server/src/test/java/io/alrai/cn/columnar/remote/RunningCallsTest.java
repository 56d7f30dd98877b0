package io.alrai.cn.columnar.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.columnar.wire.NodeMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Queries on column nodes for which somebody waits for long. */
class RunningCallsTest {
  private long nanos = 1;
  private int inquiries;
  private final RunningCalls calls = new RunningCalls("columnar-1", () -> nanos);
  private final List<String> ended = new ArrayList<>();

  /** Seconds pass while a reader waits; what the node says of its query is asked in each. */
  private void waits(
      AwaitedCall call, int seconds, Function<Integer, List<NodeMessages.Step>> says) {
    call.next(() -> {
      for (int i = 1; i <= seconds && ended.isEmpty(); i++) {
        int now = i;
        nanos += TimeUnit.SECONDS.toNanos(1);
        calls.look(asked -> {
          assertEquals(List.of(call.id()), asked.ids());
          inquiries++;
          return new NodeMessages.Progress(says.apply(now));
        });
      }
      return true;
    });
  }

  private static List<NodeMessages.Step> step(boolean waits, long done) {
    return List.of(new NodeMessages.Step(7, waits, done));
  }

  @Test
  void aNodeIsNotAskedForWhatComesSoon() {
    AwaitedCall call = calls.begun(7, ended::add);
    for (int i = 0; i < 5; i++) {
      waits(call, 9, now -> List.of());
      nanos += TimeUnit.MINUTES.toNanos(10); // the reader does something else
      calls.look(asked -> new NodeMessages.Progress(List.of()));
    }
    assertEquals(0, inquiries);
    assertEquals(List.of(), ended);
  }

  @Test
  void aQueryThatItsNodeDoesNotKnowTwiceIsOver() {
    AwaitedCall call = calls.begun(7, ended::add);
    waits(call, 60, now -> now < 30 ? step(false, now) : now < 34 ? List.of() : step(false, 1));
    assertEquals(List.of(), ended);
    waits(call, 60, now -> List.of());
    assertTrue(ended.getFirst().contains("does not know it any more"), ended.toString());
    calls.ended(call);
    assertTrue(calls.isEmpty());
  }

  @Test
  void aQueryThatComesNoFurtherIsOver() {
    int started = inquiries;
    waits(calls.begun(7, ended::add), 140, now -> step(false, 12));
    assertTrue(ended.getFirst().contains("it comes no further"), ended.toString());
    assertTrue(inquiries - started > 20, inquiries + " inquiries");
  }

  @Test
  void aQueryThatWorksIsAwaitedCall() {
    waits(calls.begun(7, ended::add), 10_000, now -> step(false, now));
    assertEquals(List.of(), ended);
  }

  @Test
  void aQueryThatHasAwaitedCallItsTurnHasItsTimeFromThenOn() {
    AwaitedCall call = calls.begun(7, ended::add);
    waits(call, 700, now -> step(now < 600, 0));
    assertEquals(List.of(), ended);
    waits(call, 140, now -> step(false, 0));
    assertEquals(1, ended.size());
  }
}
