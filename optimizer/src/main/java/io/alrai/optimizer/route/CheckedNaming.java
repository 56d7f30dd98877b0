package io.alrai.optimizer.route;

import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.view.ReshapedStatement.CheckedTarget;
import java.util.List;
import java.util.Optional;

/**
 * Names the views that check what is written in place of the tables that they are of.
 *
 * @param others how all others are named
 */
record CheckedNaming(TableNaming others, List<CheckedTarget> checked) implements TableNaming {
  CheckedNaming {
    checked = List.copyOf(checked);
  }

  @Override
  public Optional<Piece> schema(Table table, boolean qualified) {
    return others.schema(table, qualified);
  }

  @Override
  public String name(Table table) {
    return others.name(table);
  }

  @Override
  public Optional<Piece> schema(Relation.Base use, boolean qualified) {
    return others.schema(use, qualified);
  }

  @Override
  public String name(Relation.Base use) {
    return checked.stream()
        .filter(target -> target.span().holds(use.reference().nameSpan()))
        .findFirst()
        .map(target -> target.view().name())
        .orElseGet(() -> others.name(use));
  }
}
