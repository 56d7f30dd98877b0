package io.alrai.optimizer.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.Refusal.Way;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AlternativesTest {
  @Test
  void theFirstThatIsPossibleIsTakenAndThoseBeforeHaveTheirReasons() {
    Alternatives<String> ways =
        new Alternatives<String>()
            .or(Way.MERGE, () -> new Alternative.Refused<>("a set operation"))
            .or(Way.GROUPS, () -> new Alternative.Possible<>("groups"))
            .or(Way.JOIN, () -> fail("is not tried"));
    assertEquals(Optional.of("groups"), ways.plan());
    assertEquals(List.of(new Refusal(Way.MERGE, "a set operation")), ways.refusals());
    assertEquals("no merge: a set operation", ways.refusals().getFirst().text());
  }

  @Test
  void whereNoneIsPossibleAllHaveReasons() {
    Alternatives<String> ways =
        new Alternatives<String>()
            .or(Way.GROUPS, () -> new Alternative.Refused<>("HAVING"))
            .or(Way.JOIN, () -> Alternative.of(Optional.empty(), "windows"));
    assertEquals(Optional.empty(), ways.plan());
    assertEquals(
        List.of(new Refusal(Way.GROUPS, "HAVING"), new Refusal(Way.JOIN, "windows")),
        ways.refusals());
  }

  @Test
  void aStepIsTakenOnlyAfterOneThatIsPossible() {
    Alternative<Integer> one = new Alternative.Possible<>(1);
    assertEquals(new Alternative.Possible<>(2), one.then(n -> new Alternative.Possible<>(n + 1)));
    Alternative<Integer> none = new Alternative.Refused<>("WITH");
    assertEquals(new Alternative.Refused<Integer>("WITH"), none.then(n -> fail("is not taken")));
  }
}
