package io.alrai.executor.codegen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What code has loaded into local variables; forgotten after the branch that loaded it. */
final class Memo<T> {
  private final Deque<Map<Integer, T>> frames = new ArrayDeque<>();

  Memo() {
    frames.push(new HashMap<>());
  }

  T get(int key, Supplier<T> emission) {
    for (Map<Integer, T> frame : frames) {
      T known = frame.get(key);
      if (known != null) {
        return known;
      }
    }
    T made = emission.get();
    frames.element().put(key, made);
    return made;
  }

  void enter() {
    frames.push(new HashMap<>());
  }

  void leave() {
    frames.pop();
  }
}
