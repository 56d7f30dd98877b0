package io.alrai.cn.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.optimizer.api.shape.ShapedText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ShapeNamingTest {
  private static final long MILLI = 1_000_000;

  private final Queue<Runnable> background = new ArrayDeque<>();
  private final List<ShapeName> named = new ArrayList<>();
  private long nanos;
  private boolean fails;

  private final ShapeNaming naming = new ShapeNaming(this::name, background::add, () -> nanos);

  /** Takes 400 ms. */
  private void name(ShapeName name) {
    nanos += 400 * MILLI;
    if (fails) {
      throw new IllegalStateException("for a test");
    }
    named.add(name);
    name.become(new ShapeName.Digest("", ""));
  }

  private static ShapeName unnamed() {
    ShapedText text = ShapedText.of("SELECT 1");
    return new ShapeName(DigestQuestion.of(text, text));
  }

  @Test
  void faultsDoNotEndIt() {
    fails = true;
    naming.later(unnamed());
    Runnable first = background.remove();
    assertThrows(IllegalStateException.class, first::run);
    fails = false;
    ShapeName second = unnamed();
    naming.later(second);
    background.remove().run();
    assertEquals(List.of(second), named);
  }

  @Test
  void whoeverReadsWaitsForHalfASecond() {
    List<ShapeName> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      asked.add(unnamed());
    }
    naming.now(asked);
    assertEquals(asked.subList(0, 2), named);
    naming.now(List.of()); // another one reads
    assertEquals(1, background.size());
    background.remove().run();
    assertEquals(asked, named);
    naming.now(List.of());
    assertEquals(0, background.size());
  }
}
