package io.alrai.dn.raft;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Who votes in a model's group.
 *
 * @param now nobody for one that waits to be added
 * @param before while they change, those of before
 */
record Ballot(Set<Integer> now, Set<Integer> before) {
  static final Ballot NOBODY = new Ballot(Set.of(), Set.of());

  Ballot {
    // in an order that a run repeats
    now = Collections.unmodifiableSet(new TreeSet<>(now));
    before = Collections.unmodifiableSet(new TreeSet<>(before));
  }

  Set<Integer> all() {
    Set<Integer> all = new TreeSet<>(now);
    all.addAll(before);
    return all;
  }

  boolean has(int id) {
    return now.contains(id) || before.contains(id);
  }

  boolean agree(IntPredicate yes) {
    return majority(now, yes) && (before.isEmpty() || majority(before, yes));
  }

  private static boolean majority(Set<Integer> of, IntPredicate yes) {
    return of.stream().filter(yes::test).count() * 2 > of.size();
  }
}
