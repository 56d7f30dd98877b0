package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one query block.
 *
 * @param scope what it sees
 * @param equalities what its conjuncts and those around it say
 * @param components its relations, by alignment
 * @param nullSupplied by number, the relations on the inner side of an outer join, with what its
 *     condition says besides
 * @param outputs its columns; empty when not known
 * @param expressions all of its expressions, those of ORDER BY too
 */
public record BlockFacts(
    Query.Block block,
    Scope scope,
    Equalities equalities,
    List<Component> components,
    Map<Integer, Equalities> nullSupplied,
    Optional<List<Output>> outputs,
    List<Expr> expressions) {
  public BlockFacts {
    components = List.copyOf(components);
    nullSupplied = Map.copyOf(nullSupplied);
    expressions = List.copyOf(expressions);
  }

  /** What is equal in all rows of the block for which one of a relation matters. */
  public Equalities equalities(Relation relation) {
    return nullSupplied.getOrDefault(relation.id(), equalities);
  }
}
