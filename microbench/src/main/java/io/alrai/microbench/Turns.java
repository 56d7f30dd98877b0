package io.alrai.microbench;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/** Inputs that take turns, so that no call has the input of the call before. One thread. */
final class Turns<T> {
  private static final long SEED = 1;

  private final List<T> inputs;
  private int next;

  Turns(List<T> inputs) {
    this.inputs = List.copyOf(inputs);
  }

  /** Random inputs, the same in each run. */
  static <T> Turns<T> of(int count, Function<Random, T> input) {
    Random random = new Random(SEED);
    return new Turns<>(Stream.generate(() -> input.apply(random)).limit(count).toList());
  }

  T next() {
    T input = inputs.get(next);
    next = next + 1 == inputs.size() ? 0 : next + 1;
    return input;
  }
}
