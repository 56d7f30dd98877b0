package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Schema;
import io.alrai.optimizer.api.DdlStatement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** DROP DATABASE: the catalog first, so that no CN goes there any more; then every DN. */
final class DropDatabaseSteps implements DdlSteps {
  private static final String TABLES = "tables";

  /** Not noted by older versions: the name. */
  private static final String STEM = "stem";

  private final DdlStatement.DropDatabase drop;
  private final DdlSession session;

  DropDatabaseSteps(DdlStatement.DropDatabase drop, DdlSession session) {
    this.drop = drop;
    this.session = session;
  }

  @Override
  public String kind() {
    return "DROP_DATABASE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(Target.of(drop.name()));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.refuseSystemSchema(drop.name(), session);
    if (catalog.schema(drop.name()).isPresent()) {
      return Optional.empty();
    }
    String sentence = "Can't drop database '" + drop.name() + "'; database doesn't exist";
    if (drop.ifExists()) {
      return Optional.of(
          DdlOutcome.with(List.of(SqlWarning.note(ErrorCode.ER_DB_DROP_EXISTS.errno(), sentence))));
    }
    throw new AlraiException(ErrorCode.ER_DB_DROP_EXISTS, sentence);
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (!run.isOnlyForward()) {
      Schema schema = NameRules.existingSchema(run.gms().catalog(), drop.name());
      int tables = schema.tables().size() + schema.views().size();
      run.onlyForward(
          Map.of(TABLES, String.valueOf(tables), STEM, schema.stem()),
          List.of(new CatalogCommand.DropSchema(drop.name())));
    } else {
      run.awaitCatalog();
    }
    String stem = run.noted(STEM).orElse(drop.name());
    run.at(
        Place.shadows(drop.name(), run.dns()),
        place -> CreateDatabaseSteps.dropAll(run, place.dn(), drop.name(), stem));
    long tables = Long.parseLong(run.noted(TABLES).orElse("0"));
    run.finish(List.of());
    return new DdlOutcome(tables, "", List.of());
  }

  @Override
  public void back(JobRun run) {
    // nothing has changed before the catalog has
  }
}
