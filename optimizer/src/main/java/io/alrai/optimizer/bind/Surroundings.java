package io.alrai.optimizer.bind;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a query inherits of the block around it.
 *
 * @param scope what it may refer to
 * @param equalities what holds for every row of that block
 * @param anchors relations beside which its rows may lie
 * @param commonTables WITH
 * @param outermost whether there is no block around
 */
record Surroundings(
    Optional<Scope> scope,
    Equalities equalities,
    List<Anchor> anchors,
    CommonTables commonTables,
    boolean outermost) {
  /** Those of the outermost query. */
  static Surroundings none() {
    return new Surroundings(Optional.empty(), new Equalities(), List.of(), CommonTables.NONE, true);
  }

  Surroundings {
    anchors = List.copyOf(anchors);
  }

  Surroundings with(CommonTables tables) {
    return new Surroundings(scope, equalities, anchors, tables, outermost);
  }

  /** Those of a subquery within a block that has these surroundings. */
  Surroundings within(Scope inner, Equalities known, List<Component> components) {
    Set<Anchor> all = new LinkedHashSet<>(anchors); // components have them, too
    components.forEach(component -> all.addAll(component.anchors()));
    return new Surroundings(Optional.of(inner), known, List.copyOf(all), commonTables, false);
  }

  /** Those of a part that stands by itself: nothing that it learns is seen outside. */
  Surroundings apart() {
    return new Surroundings(scope, equalities.copy(), anchors, commonTables, false);
  }

  /** A copy without relations to lie beside. */
  Surroundings withoutAnchors() {
    return new Surroundings(scope, equalities.copy(), List.of(), commonTables, false);
  }

  /** Those of LATERAL: the relations before it may be referred to. */
  Surroundings lateral(Scope inner, List<Anchor> earlier) {
    List<Anchor> all = new ArrayList<>(anchors);
    all.addAll(earlier);
    return new Surroundings(Optional.of(inner), equalities.copy(), all, commonTables, false);
  }
}
