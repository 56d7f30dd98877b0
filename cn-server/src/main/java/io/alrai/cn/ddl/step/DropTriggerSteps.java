package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.TriggerTexts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * DROP TRIGGER: every partition, the shadows, then the catalog, so that CNs plan with the trigger
 * as long as it runs anywhere. Nothing can be refused, so it only goes forward.
 */
final class DropTriggerSteps implements DdlSteps {
  private static final String GONE = "Trigger does not exist";

  private final DdlStatement.DropTrigger drop;
  private final String schema;
  private final String name;
  private final Set<Target> targets = new HashSet<>();

  DropTriggerSteps(DdlStatement.DropTrigger drop, DdlSession session, Catalog catalog) {
    this.drop = drop;
    this.schema = NameRules.schemaOf(drop.name(), session);
    this.name = drop.name().table();
    targets.add(CreateTriggerSteps.target(schema, name));
    catalog.triggered(schema, name).map(this::target).ifPresent(targets::add);
  }

  private Target target(Table table) {
    return new Target(schema, table.name());
  }

  @Override
  public String kind() {
    return "DROP_TRIGGER";
  }

  @Override
  public Set<Target> targets() {
    return Set.copyOf(targets);
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (!drop.ifExists()) {
      NameRules.existingSchema(catalog, schema);
    }
    Optional<Table> table = catalog.triggered(schema, name);
    // a table that has got another name since is not held by this job
    if (table.map(this::target).filter(targets::contains).isPresent()) {
      return Optional.empty();
    }
    if (drop.ifExists()) {
      return Optional.of(
          DdlOutcome.with(List.of(SqlWarning.note(ErrorCode.ER_TRG_DOES_NOT_EXIST.errno(), GONE))));
    }
    throw new AlraiException(ErrorCode.ER_TRG_DOES_NOT_EXIST, GONE);
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    run.onlyForward();
    Catalog catalog = run.gms().catalog();
    Table table =
        catalog
            .triggered(schema, name)
            .orElseThrow(() -> new IllegalStateException("the catalog has it to the end"));
    List<Place> places = new ArrayList<>(Place.ofRows(catalog.tableGroup(table), run.dns()));
    places.addAll(Place.shadows(schema, run.dns()));
    run.at(places, place -> run.executeCopy(place, TriggerTexts.drop(name)));
    run.finish(
        List.of(
            new CatalogCommand.PutTable(
                table.withTriggers(TriggerTexts.without(table.triggers(), name)))));
    return DdlOutcome.QUIET;
  }

  @Override
  public void back(JobRun run) {
    // only goes forward
  }
}
