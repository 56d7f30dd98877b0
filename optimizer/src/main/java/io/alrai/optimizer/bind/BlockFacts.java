package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of one query block.
 *
 * @param scope what it sees
 * @param equalities what its conjuncts and those around it say
 * @param components its relations, by alignment
 * @param nullSupplied numbers of relations on the inner side of an outer join
 * @param outputs its columns; empty when not known
 * @param expressions all of its expressions, those of ORDER BY too
 */
public record BlockFacts(
    Query.Block block,
    Scope scope,
    Equalities equalities,
    List<Component> components,
    Set<Integer> nullSupplied,
    Optional<List<Output>> outputs,
    List<Expr> expressions) {
  /** Copies the lists. */
  public BlockFacts {
    components = List.copyOf(components);
    nullSupplied = Set.copyOf(nullSupplied);
    expressions = List.copyOf(expressions);
  }
}
