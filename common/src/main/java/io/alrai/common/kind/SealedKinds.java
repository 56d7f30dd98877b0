package io.alrai.common.kind;

import java.util.List;
import java.util.stream.Stream;

/** The kinds of sealed types. Stateless. */
public final class SealedKinds {
  private SealedKinds() {}

  /** The classes that a value of the type may have, each once, whatever types are in between. */
  public static List<Class<?>> of(Class<?> sealed) {
    return leaves(sealed).distinct().toList();
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(SealedKinds::leaves)
        : Stream.of(type);
  }
}
