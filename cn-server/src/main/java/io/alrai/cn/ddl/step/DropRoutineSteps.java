package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.RoutineTexts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.RoutineChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * DROP PROCEDURE and DROP FUNCTION: the catalog, then every shadow; nothing that could be refused
 * in between.
 */
final class DropRoutineSteps implements DdlSteps {
  private final RoutineChange.Drop drop;
  private final RoutineKind kind;

  /** Empty for a loadable function, of which there is none. */
  private final String schema;

  private final String name;

  DropRoutineSteps(DdlStatement.OnRoutine statement, RoutineChange.Drop drop, DdlSession session) {
    this.drop = drop;
    this.kind = statement.kind();
    boolean ofServer =
        kind == RoutineKind.FUNCTION
            && statement.name().schema().isEmpty()
            && session.currentSchema().isEmpty();
    this.schema = ofServer ? "" : NameRules.schemaOf(statement.name(), session);
    this.name = statement.name().table();
  }

  @Override
  public String kind() {
    return "DROP_" + kind;
  }

  @Override
  public Set<Target> targets() {
    return Set.of(RoutineTexts.target(kind, schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (RoutineTexts.isThere(catalog, kind, schema, name)) {
      return Optional.empty();
    }
    String sentence =
        schema.isEmpty() ? "FUNCTION (UDF) " + name + " does not exist" : kind.gone(schema, name);
    if (drop.ifExists()) {
      SqlWarning note = SqlWarning.note(ErrorCode.ER_SP_DOES_NOT_EXIST.errno(), sentence);
      return Optional.of(DdlOutcome.with(List.of(note)));
    }
    throw new AlraiException(ErrorCode.ER_SP_DOES_NOT_EXIST, sentence);
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (run.isOnlyForward()) {
      run.awaitCatalog();
    } else {
      run.onlyForward(Map.of(), List.of(gone(RoutineTexts.isAutomatic(run))));
    }
    run.at(Place.shadows(schema, run.dns()), place -> RoutineTexts.drop(run, kind, place, name));
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  private CatalogCommand gone(boolean privileges) {
    return switch (kind) {
      case PROCEDURE -> new CatalogCommand.DropProcedure(schema, name, privileges);
      case FUNCTION -> new CatalogCommand.DropFunction(schema, name, privileges);
    };
  }

  @Override
  public void back(JobRun run) {
    // nothing has changed before the catalog has
  }
}
