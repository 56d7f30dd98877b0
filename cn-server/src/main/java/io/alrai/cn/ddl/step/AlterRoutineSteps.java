package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.RoutineTexts;
import io.alrai.cn.ddl.rule.TriggerRules;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.RoutineChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * ALTER PROCEDURE and ALTER FUNCTION: first on the shadow that checks the words, then on the
 * others, then in the catalog what of it CNs heed.
 */
final class AlterRoutineSteps implements DdlSteps {
  private final RoutineChange.Alter alter;
  private final RoutineKind kind;
  private final String schema;
  private final String name;

  AlterRoutineSteps(
      DdlStatement.OnRoutine statement, RoutineChange.Alter alter, DdlSession session) {
    this.alter = alter;
    this.kind = statement.kind();
    this.schema = NameRules.schemaOf(statement.name(), session);
    this.name = statement.name().table();
  }

  @Override
  public String kind() {
    return "ALTER_" + kind;
  }

  @Override
  public Set<Target> targets() {
    return Set.of(RoutineTexts.target(kind, schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (!RoutineTexts.isThere(catalog, kind, schema, name)) {
      throw new AlraiException(ErrorCode.ER_SP_DOES_NOT_EXIST, kind.gone(schema, name));
    }
    if (kind == RoutineKind.FUNCTION && alter.ofInvoker()) {
      requireNoAccount(catalog.function(schema, name).orElseThrow().calls());
    }
    return Optional.empty();
  }

  /** A mysqld knows the definer's account under the definer's name. */
  private void requireNoAccount(Set<String> calls) {
    if (calls.contains(CreateFunctionSteps.CURRENT_USER)) {
      throw TriggerRules.refused(
          "CURRENT_USER in function " + name + " with SQL SECURITY INVOKER",
          ": servers do not know the client's account; give it as a parameter");
    }
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Sql sql =
        Sql.of("ALTER ")
            .word(kind.name())
            .words(" ")
            .name(schema, name)
            .words(" ")
            .written(alter.characteristics());
    Place first = run.firstShadow(schema);
    List<SqlWarning> warnings = run.execute(first, sql).warnings();
    run.onlyForward();
    run.at(run.otherShadows(schema), place -> run.execute(place, sql));
    boolean ofInvoker =
        run.query(
                first.dn(),
                Sql.of(
                        "SELECT SECURITY_TYPE FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = '")
                    .word(kind.name())
                    .words("' AND ROUTINE_SCHEMA = ")
                    .string(schema)
                    .words(" AND ROUTINE_NAME = ")
                    .string(name))
            .getFirst()
            .getFirst()
            .equals("INVOKER");
    run.finish(List.of(secured(run.gms().catalog(), ofInvoker)));
    return DdlOutcome.with(warnings);
  }

  /** The catalog has it to the end. */
  private CatalogCommand secured(Catalog catalog, boolean ofInvoker) {
    return switch (kind) {
      case PROCEDURE ->
          new CatalogCommand.PutProcedure(
              catalog.procedure(schema, name).orElseThrow().withSecurity(ofInvoker), "");
      case FUNCTION ->
          new CatalogCommand.PutFunction(
              catalog.function(schema, name).orElseThrow().withSecurity(ofInvoker), "");
    };
  }

  @Override
  public void back(JobRun run) {
    // the first statement is the only one that can be refused, and then nothing has changed
  }
}
