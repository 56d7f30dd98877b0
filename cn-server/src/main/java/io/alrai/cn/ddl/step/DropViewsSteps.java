package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.inspect.ViewTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** DROP VIEW: the catalog, then every shadow; nothing that could be refused in between. */
final class DropViewsSteps implements DdlSteps {
  private final DdlStatement.DropViews drop;
  private final List<Target> names;

  DropViewsSteps(DdlStatement.DropViews drop, DdlSession session) {
    this.drop = drop;
    this.names = DroppedNames.of(drop.names(), session);
  }

  @Override
  public String kind() {
    return "DROP_VIEW";
  }

  @Override
  public Set<Target> targets() {
    return Set.copyOf(names);
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    List<Target> missing = new ArrayList<>();
    for (Target name : names) {
      if (catalog.table(name.schema(), name.table()).isPresent()) {
        throw NameRules.wrongObject(name.schema(), name.table(), "VIEW");
      }
      if (catalog.view(name.schema(), name.table()).isEmpty()) {
        missing.add(name);
      }
    }
    return DroppedNames.check(names, missing, drop.ifExists());
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    List<Target> missing = new ArrayList<>();
    if (!run.isOnlyForward()) {
      List<CatalogCommand> changes = new ArrayList<>();
      for (Target name : names) {
        if (run.gms().catalog().view(name.schema(), name.table()).isPresent()) {
          changes.add(new CatalogCommand.DropView(name.schema(), name.table()));
        } else {
          missing.add(name);
        }
      }
      run.onlyForward(Map.of(), changes);
    } else {
      run.awaitCatalog();
    }
    Sql sql = Sql.of("DROP VIEW IF EXISTS ").add(DropTablesSteps.qualified(names));
    run.at(
        Place.shadows("", run.dns()),
        place -> {
          run.executeCopy(place, sql);
          names.forEach(name -> dropChecks(run, place.dn(), name));
        });
    run.finish(List.of());
    return DdlOutcome.with(DroppedNames.notes(missing));
  }

  /** Those beside tables, see {@link CheckViewKeeper}. */
  private static void dropChecks(JobRun run, DnId dn, Target name) {
    String prefix = ViewTarget.checkPrefix(name.schema(), name.table());
    for (List<String> row : run.query(dn, CheckViewKeeper.named(prefix))) {
      run.executeCopy(dn, Sql.of("DROP VIEW IF EXISTS ").name(row.get(0), row.get(1)));
    }
  }

  @Override
  public void back(JobRun run) {
    // nothing has changed before the catalog has
  }
}
