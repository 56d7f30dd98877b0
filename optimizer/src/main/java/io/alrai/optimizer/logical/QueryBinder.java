package io.alrai.optimizer.logical;

import io.alrai.optimizer.syntax.Query;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Query expressions, with the common table expressions that they can name. One thread. */
final class QueryBinder {
  private final BindContext context;
  private final Map<String, Common> common;

  /** A common table expression and who binds it: it sees those before it only. */
  private record Common(Query.CommonTable table, QueryBinder binder) {}

  QueryBinder(BindContext context) {
    this(context, Map.of());
  }

  private QueryBinder(BindContext context, Map<String, Common> common) {
    this.context = context;
    this.common = Map.copyOf(common);
  }

  /** A query whose rows are a table. */
  BoundQuery bind(Query query, Optional<Scope> outer) {
    return bind(query, outer, QueryUse.ROWS);
  }

  /** A query. */
  BoundQuery bind(Query query, Optional<Scope> outer, QueryUse use) {
    if (query.into().isPresent() || !query.locking().isEmpty()) {
      throw new NotCovered("INTO or a locking clause");
    }
    QueryBinder inner = this;
    if (query.with().isPresent()) {
      Query.With with = query.with().get();
      if (with.recursive()) {
        throw new NotCovered("a recursive WITH");
      }
      for (Query.CommonTable table : with.tables()) {
        Map<String, Common> known = new HashMap<>(inner.common);
        known.put(table.name().name(), new Common(table, inner));
        inner = new QueryBinder(context, known);
      }
    }
    return inner.body(query, outer, use);
  }

  private BoundQuery body(Query query, Optional<Scope> outer, QueryUse use) {
    return switch (query.body()) {
      case Query.Block block ->
          new BlockBinder(context, this, outer, use).bind(block, query.orderBy(), query.limit());
      case Query.Nested nested -> {
        if (!query.orderBy().isEmpty() || query.limit().isPresent()) {
          throw new NotCovered("ORDER BY or LIMIT behind a query in parentheses");
        }
        yield bind(nested.query(), outer, use);
      }
      case Query.SetOperation operation -> throw new NotCovered(operation.operator().name());
      case Query.WholeTable whole -> throw new NotCovered("TABLE");
      case Query.Values values -> throw new NotCovered("VALUES");
    };
  }

  /** A common table expression of that name, bound once for each use. */
  Optional<BoundQuery> common(String name) {
    return Optional.ofNullable(common.get(name))
        .map(found -> {
          BoundQuery rows = found.binder().bind(found.table().query(), Optional.empty());
          return found.table().columns().isEmpty()
              ? rows
              : new BoundQuery(rows.rows(), found.table().columns());
        });
  }
}
