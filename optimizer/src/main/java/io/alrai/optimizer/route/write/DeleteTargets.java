package io.alrai.optimizer.route.write;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.List;

/** What the targets of a DELETE mean, of the tables in its FROM. */
final class DeleteTargets {
  private final List<Relation.Base> bases;
  private final Scope scope;
  private final Planner.Context context;

  DeleteTargets(List<Relation.Base> bases, Scope scope, Planner.Context context) {
    this.bases = List.copyOf(bases);
    this.scope = scope;
    this.context = context;
  }

  /**
   * Refuses a target without a schema where there is no current one.
   *
   * @throws AlraiException 1046
   */
  static void requireDatabase(Planning planning, Statement.Delete delete) {
    if (planning.context().currentSchema().isEmpty()
        && sent(planning, delete).targets().stream().anyMatch(one -> one.schema().isEmpty())) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
  }

  /** A view's name loses its schema where it becomes an alias of the table below. */
  private static Statement.Delete sent(Planning planning, Statement.Delete delete) {
    Planner.Context context = planning.context();
    return planning.statement() instanceof ReshapedStatement reshaped
            && StatementParser.parse(
                    reshaped.original().shape(), context.ansiQuotes(), context.noBackslashEscapes())
                instanceof Statement.Delete original
        ? original
        : delete;
  }

  /**
   * The one that a target means: an alias stands for itself, a name for a table of its schema.
   *
   * @throws AlraiException 1109 for none, 1066 for several, 1288 for a derived table
   */
  Relation.Base base(Statement.TargetTable target) {
    List<Relation.Base> meant = bases.stream().filter(base -> means(target, base)).toList();
    if (meant.size() > 1) {
      throw new AlraiException(
          ErrorCode.ER_NONUNIQ_TABLE,
          "Not unique table/alias: '" + meant.getFirst().visibleName() + "'");
    }
    return meant.stream().findFirst().orElseThrow(() -> none(target.name().name()));
  }

  private boolean means(Statement.TargetTable target, Relation.Base base) {
    if (!base.visibleName().equals(target.name().name())) {
      return false;
    }
    boolean alias = base.reference().alias().isPresent();
    return target
        .schema()
        .map(schema -> !alias && schema.name().equals(base.table().schema()))
        .orElseGet(() -> alias || context.currentSchema().equals(base.table().schema()));
  }

  private AlraiException none(String name) {
    boolean derived =
        scope.relations().stream()
            .filter(relation -> !(relation instanceof Relation.Base))
            .anyMatch(relation -> relation.visibleName().equals(name));
    return derived
        ? new AlraiException(
            ErrorCode.ER_NON_UPDATABLE_TABLE,
            "The target table " + name + " of the DELETE is not updatable")
        : new AlraiException(
            ErrorCode.ER_UNKNOWN_TABLE, "Unknown table '" + name + "' in MULTI DELETE");
  }
}
