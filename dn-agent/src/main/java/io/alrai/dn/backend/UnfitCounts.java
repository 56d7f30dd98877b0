package io.alrai.dn.backend;

import io.alrai.dn.link.Unfit;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How many connections of a link could not be given to others, by reason. Thread-safe. */
final class UnfitCounts {
  private final Map<Unfit, LongAdder> counts =
      Arrays.stream(Unfit.values())
          .collect(Collectors.toUnmodifiableMap(Function.identity(), reason -> new LongAdder()));

  void add(Unfit reason) {
    of(reason).increment();
  }

  LongAdder of(Unfit reason) {
    LongAdder count = counts.get(reason);
    if (count == null) {
      throw new IllegalStateException("no count of " + reason);
    }
    return count;
  }
}
