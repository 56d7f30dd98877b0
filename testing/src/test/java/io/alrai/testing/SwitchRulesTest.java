package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A new kind of a sealed type is a decision for each switch over it, so none has a {@code default}:
 * kinds that are treated alike stand in one case.
 */
class SwitchRulesTest {
  private static SealedSwitches switches;

  @BeforeAll
  static void look() throws IOException {
    switches = SealedSwitches.of("io.alrai");
  }

  @Test
  void allModulesAreSeen() {
    assertTrue(switches.count() > 250, "only " + switches.count() + " switches");
  }

  @Test
  void switchesOverSealedTypesNameAllKinds() {
    assertEquals(List.of(), switches.withRest());
  }

  private sealed interface Fruit {
    record Apple() implements Fruit {}

    record Pear() implements Fruit {}

    record Plum() implements Fruit {}
  }

  private record Basket(Fruit fruit) {}

  private static final class Named {
    static int count(Fruit fruit) {
      return switch (fruit) {
        case Fruit.Apple _ -> 1;
        case Fruit.Pear _, Fruit.Plum _ -> 2;
      };
    }
  }

  private static final class Defaulted {
    static int count(Fruit fruit) {
      return switch (fruit) {
        case Fruit.Apple _ -> 1;
        default -> 2;
      };
    }
  }

  private static final class Whole {
    static int count(Basket basket) {
      return switch (basket) {
        case Basket(Fruit.Apple _) -> 1;
        case Basket(Fruit.Pear _) -> 2;
        case Basket _ -> 3;
      };
    }
  }

  private static List<String> found(Class<?> type) throws IOException {
    return SealedSwitches.of(List.of(Fruit.class, type)).withRest().stream()
        .map(place -> place.replaceAll(":\\d+", ""))
        .toList();
  }

  @Test
  void whatIsNotNamedIsFound() throws IOException {
    assertEquals(2, Named.count(new Fruit.Plum()));
    assertEquals(List.of(), found(Named.class));
    assertEquals(2, Defaulted.count(new Fruit.Plum()));
    assertEquals(List.of("SwitchRulesTest.java Fruit"), found(Defaulted.class));
    assertEquals(3, Whole.count(new Basket(new Fruit.Plum())));
    assertEquals(List.of("SwitchRulesTest.java Fruit"), found(Whole.class));
  }
}
