package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.cn.ddl.rule.ColumnIndexRules;
import io.alrai.cn.ddl.rule.LoggedCascades;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE CLUSTERED COLUMNAR INDEX: the catalog names it, whoever builds indexes builds it, and the
 * statement waits for that. One that cannot be built is taken out of the catalog again.
 */
final class CreateColumnIndexSteps implements DdlSteps {
  private static final String NAMED = "named";

  private final DdlStatement.CreateColumnIndex create;
  private final String schema;
  private final ColumnIndexBuilds builds;

  CreateColumnIndexSteps(
      DdlStatement.CreateColumnIndex create, DdlSession session, ColumnIndexBuilds builds) {
    this.create = create;
    this.schema = NameRules.schemaOf(create.table(), session);
    this.builds = builds;
  }

  @Override
  public String kind() {
    return "CREATE_COLUMN_INDEX";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(new Target(schema, create.table().table()));
  }

  private Table table(Catalog catalog) {
    return NameRules.existing(catalog, schema, create.table().table());
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    Table table = table(catalog);
    for (ColumnIndexDefinition other : table.columnIndexes()) {
      if (other.name().equalsIgnoreCase(create.index().name())) {
        throw ColumnIndexRules.duplicate(create.index());
      }
      throw AlraiException.unsupported(
          "'a second column index of a table': there is " + other.name());
    }
    ColumnIndexRules.columns(create.index(), table);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Table table = table(run.gms().catalog());
    builds.check(table);
    if (!run.has(NAMED)) {
      Place shadow = run.firstShadow(schema);
      TableText text = TableText.of(run.readText(shadow, table.name()));
      LoggedCascades.require(run, shadow, text);
      Table named = ColumnIndexRules.named(create.index(), table, text, run.jobId());
      run.note(Map.of(NAMED, "yes"), List.of(new CatalogCommand.PutTable(named)));
      table = named;
    }
    Table indexed = table;
    run.waiting("column nodes", "the build of the column index", () -> builds.await(indexed));
    run.finish(List.of());
    return DdlOutcome.with(ColumnIndexRules.warnings(create.index()));
  }

  @Override
  public void back(JobRun run) {
    if (run.has(NAMED)) {
      run.gms()
          .catalog()
          .table(schema, create.table().table())
          .ifPresent(table ->
              run.note(
                  Map.of(),
                  List.of(new CatalogCommand.PutTable(table.withColumnIndexes(List.of())))));
    }
  }
}
