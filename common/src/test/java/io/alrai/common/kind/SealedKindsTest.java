package io.alrai.common.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SealedKindsTest {
  private sealed interface Shape {
    sealed interface Round extends Shape {}

    sealed interface Flat extends Shape {}

    record Ball() implements Round {}

    record Disc() implements Round, Flat {}

    record Square() implements Flat {}

    record Cube() implements Shape {}
  }

  @Test
  void eachKindIsThereOnceWhateverIsInBetween() {
    assertEquals(
        List.of(Shape.Ball.class, Shape.Disc.class, Shape.Square.class, Shape.Cube.class),
        SealedKinds.of(Shape.class));
  }
}
