package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.InterpretedBody;
import io.alrai.cn.ddl.rule.RoutineTexts;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.Schema;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.RoutineChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE PROCEDURE:
 *
 * <ol>
 *   <li>the shadow on the first DN, where the mysqld says what is wrong with the text;
 *   <li>the other shadows;
 *   <li>the catalog: from here on CNs run it. No mysqld ever does.
 * </ol>
 *
 * Rolled back by dropping it from the shadows.
 */
final class CreateProcedureSteps implements DdlSteps {
  private static final String BEGUN = "begun";

  private final RoutineChange.CreateProcedure create;
  private final DdlSession session;
  private final String schema;
  private final String name;

  CreateProcedureSteps(
      DdlStatement.OnRoutine statement, RoutineChange.CreateProcedure create, DdlSession session) {
    this.create = create;
    this.session = session;
    this.schema = NameRules.schemaOf(statement.name(), session);
    this.name = statement.name().table();
  }

  @Override
  public String kind() {
    return "CREATE_PROCEDURE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(RoutineTexts.target(RoutineKind.PROCEDURE, schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, schema);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Place first = shadow(run.firstShadow(schema));
    Catalog catalog = run.gms().catalog();
    if (!run.has(BEGUN) && catalog.procedure(schema, name).isPresent()) {
      List<SqlWarning> notes = RoutineTexts.withoutDefiner(run.execute(first, sql()).warnings());
      run.finish(List.of());
      return DdlOutcome.with(notes);
    }
    if (run.has(BEGUN)) {
      back(run);
    } else {
      run.note(BEGUN, "yes");
    }
    run.executeAsAdmin(first, sql());
    Procedure procedure = procedure(catalog);
    InterpretedBody.check(procedure, session);
    run.at(run.otherShadows(schema), place -> run.executeAsAdmin(shadow(place), sql()));
    String owner = RoutineTexts.owner(run, RoutineKind.PROCEDURE, schema, name);
    run.finish(List.of(new CatalogCommand.PutProcedure(procedure, owner)));
    return DdlOutcome.with(RoutineTexts.notes(catalog, definer()));
  }

  private Place shadow(Place place) {
    return new Place(place.dn(), session.currentSchema());
  }

  private String definer() {
    return RoutineTexts.definer(create.definer(), session);
  }

  private Sql sql() {
    return RoutineTexts.create(definer(), create.text());
  }

  private Procedure procedure(Catalog catalog) {
    Schema made = NameRules.existingSchema(catalog, schema);
    return new Procedure(
        schema,
        name,
        create.parameters(),
        create.body(),
        definer(),
        create.ofInvoker(),
        InterpretedBody.settings(session),
        made.collation());
  }

  @Override
  public void back(JobRun run) {
    if (run.has(BEGUN)) {
      run.at(
          Place.shadows(schema, run.dns()),
          place -> RoutineTexts.drop(run, RoutineKind.PROCEDURE, place, name));
    }
  }
}
