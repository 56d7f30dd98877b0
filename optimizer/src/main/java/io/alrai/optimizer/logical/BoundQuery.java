package io.alrai.optimizer.logical;

import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A query as a tree.
 *
 * @param rows gives the result
 * @param names of its columns
 */
public record BoundQuery(RelNode rows, List<String> names) {
  public BoundQuery {
    names = List.copyOf(names);
  }
}
