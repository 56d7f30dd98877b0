package io.alrai.optimizer.bind;

import java.util.ArrayList;
import java.util.List;

/** Relations of a block whose rows lie side by side. Mutable while FROM is read; one thread. */
public final class Component {
  private final List<Anchor> anchors = new ArrayList<>();
  private final boolean outer;
  private boolean pinned;

  Component(List<Anchor> anchors, boolean pinned, boolean outer) {
    this.anchors.addAll(anchors);
    this.pinned = pinned;
    this.outer = outer;
  }

  /** The relations. */
  public List<Anchor> anchors() {
    return anchors;
  }

  /** Whether the rows that matter have given key values. */
  public boolean pinned() {
    return pinned;
  }

  /** Whether it holds relations of the blocks around. */
  boolean outer() {
    return outer;
  }

  boolean alignedWith(Component other, Equalities equalities) {
    return anchors.stream()
        .anyMatch(a -> other.anchors.stream().anyMatch(b -> a.alignedWith(b, equalities)));
  }

  /** Takes the rows of an inner join partner. */
  void join(Component other) {
    anchors.addAll(other.anchors);
    pinned |= other.pinned;
  }

  /** Takes the rows of the inner side of an outer join. */
  void joinNullSupplied(Component other) {
    other.anchors.forEach(anchor -> anchors.add(anchor.asNullSupplied()));
  }
}
