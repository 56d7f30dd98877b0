package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.ProcedureChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** DROP PROCEDURE: the catalog, then every shadow; nothing that could be refused in between. */
final class DropProcedureSteps implements DdlSteps {
  private final ProcedureChange.Drop drop;
  private final String schema;
  private final String name;

  DropProcedureSteps(
      DdlStatement.OnProcedure statement, ProcedureChange.Drop drop, DdlSession session) {
    this.drop = drop;
    this.schema = NameRules.schemaOf(statement.name(), session);
    this.name = statement.name().table();
  }

  @Override
  public String kind() {
    return "DROP_PROCEDURE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(CreateProcedureSteps.target(schema, name));
  }

  /** That there is none. */
  static String gone(String schema, String name) {
    return "PROCEDURE " + schema + "." + name + " does not exist";
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (catalog.procedure(schema, name).isPresent()) {
      return Optional.empty();
    }
    String sentence = gone(schema, name);
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
      run.onlyForward(Map.of(), List.of(new CatalogCommand.DropProcedure(schema, name)));
    }
    run.at(Place.shadows(schema, run.dns()), place -> CreateProcedureSteps.drop(run, place, name));
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  @Override
  public void back(JobRun run) {
    // nothing has changed before the catalog has
  }
}
