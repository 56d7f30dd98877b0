package io.alrai.optimizer.route.gather;

import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.syntax.Query;

/** The one block of a query that is nothing but a block, with ORDER BY and LIMIT. Stateless. */
final class SimpleBlock {
  private SimpleBlock() {}

  static Alternative<Query.Block> of(Planning planning, Analysis analysis, Query query) {
    if (!query.with().isEmpty()) {
      return new Alternative.Refused<>("WITH");
    }
    if (!query.locking().isEmpty()) {
      return new Alternative.Refused<>("locks of rows");
    }
    if (!(query.body() instanceof Query.Block block)) {
      return new Alternative.Refused<>("a set operation");
    }
    if (analysis.blocks().size() != 1) {
      return new Alternative.Refused<>("a query within the query");
    }
    if (planning.text().text().contains("/*+")) {
      return new Alternative.Refused<>("hints for a mysqld's optimizer");
    }
    return block.windows().isEmpty() && block.qualify().isEmpty()
        ? new Alternative.Possible<>(block)
        : new Alternative.Refused<>("windows");
  }
}
