package io.alrai.testing.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What a transaction is to do.
 *
 * @param begin the statement it begins with; empty for one autocommit statement
 * @param steps one statement each
 */
record RandomPlan(String begin, List<Step> steps) {
  /** What a statement does. */
  enum Kind {
    APPEND,
    WRITE,
    READ_LISTS,
    READ_REGISTERS,
    /** Locking, and so current. */
    LOCK_LISTS,
    LOCK_REGISTERS;

    boolean locks() {
      return this != READ_LISTS && this != READ_REGISTERS;
    }

    boolean registers() {
      return this == WRITE || this == READ_REGISTERS || this == LOCK_REGISTERS;
    }
  }

  /**
   * A statement.
   *
   * @param slots its keys' places among those in use, ascending
   */
  record Step(Kind kind, List<Integer> slots) {
    Step {
      slots = List.copyOf(slots);
    }
  }

  RandomPlan {
    steps = List.copyOf(steps);
  }

  static RandomPlan next(Random random) {
    int what = random.nextInt(100);
    if (what < 25) {
      return new RandomPlan("", List.of(step(random, anyKind(random), 1)));
    }
    if (what < 45) {
      return new RandomPlan("", List.of(step(random, readKind(random), 2 + random.nextInt(6))));
    }
    if (what < 50) {
      return new RandomPlan("", List.of(step(random, writeKind(random), 2 + random.nextInt(2))));
    }
    List<Step> steps = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    boolean reader = what < 65;
    for (int i = 0; i < count; i++) {
      Kind kind = reader ? readKind(random) : anyKind(random);
      steps.add(
          step(random, kind, kind.locks() || random.nextInt(3) > 0 ? 1 : 2 + random.nextInt(4)));
    }
    if (random.nextInt(10) > 0) {
      inLockOrder(steps);
    }
    return new RandomPlan(begin(random, reader), steps);
  }

  private static String begin(Random random, boolean reader) {
    return switch (random.nextInt(6)) {
      case 0 -> "START TRANSACTION WITH CONSISTENT SNAPSHOT";
      case 1, 2 -> reader ? "START TRANSACTION READ ONLY" : "BEGIN";
      default -> "START TRANSACTION";
    };
  }

  private static Kind anyKind(Random random) {
    int what = random.nextInt(10);
    if (what < 4) {
      return readKind(random);
    }
    if (what < 9) {
      return writeKind(random);
    }
    return random.nextBoolean() ? Kind.LOCK_LISTS : Kind.LOCK_REGISTERS;
  }

  private static Kind readKind(Random random) {
    return random.nextInt(3) > 0 ? Kind.READ_LISTS : Kind.READ_REGISTERS;
  }

  private static Kind writeKind(Random random) {
    return random.nextInt(3) > 0 ? Kind.APPEND : Kind.WRITE;
  }

  private static Step step(Random random, Kind kind, int keys) {
    List<Integer> slots = new ArrayList<>(IntStream.range(0, RecordedLoad.SLOTS).boxed().toList());
    Collections.shuffle(slots, random);
    return new Step(kind, slots.subList(0, keys).stream().sorted().toList());
  }

  /** Brings the steps that lock rows into one order for all, so that few transactions deadlock. */
  private static void inLockOrder(List<Step> steps) {
    List<Integer> places =
        IntStream.range(0, steps.size()).filter(i -> steps.get(i).kind().locks()).boxed().toList();
    List<Step> ordered =
        places.stream()
            .map(steps::get)
            .sorted(
                Comparator.comparing((Step step) -> step.kind().registers())
                    .thenComparing(step -> step.slots().getFirst()))
            .toList();
    for (int i = 0; i < places.size(); i++) {
      steps.set(places.get(i), ordered.get(i));
    }
  }
}
