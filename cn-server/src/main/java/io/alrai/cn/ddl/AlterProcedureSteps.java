package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Procedure;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.ProcedureChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * ALTER PROCEDURE: first on the shadow that checks the words, then on the others, then in the
 * catalog what of it a CALL heeds.
 */
final class AlterProcedureSteps implements DdlSteps {
  private final ProcedureChange.Alter alter;
  private final String schema;
  private final String name;

  AlterProcedureSteps(
      DdlStatement.OnProcedure statement, ProcedureChange.Alter alter, DdlSession session) {
    this.alter = alter;
    this.schema = NameRules.schemaOf(statement.name(), session);
    this.name = statement.name().table();
  }

  @Override
  public String kind() {
    return "ALTER_PROCEDURE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(CreateProcedureSteps.target(schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (catalog.procedure(schema, name).isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_SP_DOES_NOT_EXIST, DropProcedureSteps.gone(schema, name));
    }
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    String sql =
        "ALTER PROCEDURE " + SqlText.qualified(schema, name) + " " + alter.characteristics();
    Place first = run.firstShadow(schema);
    List<SqlWarning> warnings = run.execute(first, sql).warnings();
    run.onlyForward();
    run.at(run.otherShadows(schema), place -> run.execute(place, sql));
    boolean ofInvoker =
        run.query(
                first.dn(),
                "SELECT SECURITY_TYPE FROM information_schema.ROUTINES WHERE ROUTINE_TYPE ="
                    + " 'PROCEDURE' AND ROUTINE_SCHEMA = "
                    + SqlText.string(schema)
                    + " AND ROUTINE_NAME = "
                    + SqlText.string(name))
            .getFirst()
            .getFirst()
            .equals("INVOKER");
    Procedure before =
        run.gms()
            .catalog()
            .procedure(schema, name)
            .orElseThrow(() -> new IllegalStateException("the catalog has it to the end"));
    run.finish(List.of(new CatalogCommand.PutProcedure(before.withSecurity(ofInvoker))));
    return DdlOutcome.with(warnings);
  }

  @Override
  public void back(JobRun run) {
    // the first statement is the only one that can be refused, and then nothing has changed
  }
}
