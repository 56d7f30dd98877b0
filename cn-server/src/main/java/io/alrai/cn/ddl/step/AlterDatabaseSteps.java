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
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Schema;
import io.alrai.optimizer.api.DdlStatement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** ALTER DATABASE: new defaults, first on the shadow that checks them; nothing that can fail. */
final class AlterDatabaseSteps implements DdlSteps {
  private final DdlStatement.AlterDatabase alter;
  private final String name;

  AlterDatabaseSteps(DdlStatement.AlterDatabase alter, DdlSession session) {
    this.alter = alter;
    this.name = alter.name().orElse(session.currentSchema());
    if (name.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    NameRules.refuseSystemSchema(name, session);
  }

  @Override
  public String kind() {
    return "ALTER_DATABASE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(Target.of(name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, name);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    DnId first = run.firstShadow(name).dn();
    boolean texts = alter.charset().isPresent() || alter.collation().isPresent();
    List<SqlWarning> warnings =
        texts ? run.execute(new Place(first, ""), sql(name)).warnings() : List.of();
    run.onlyForward();
    Schema schema = NameRules.existingSchema(run.gms().catalog(), name);
    List<String> defaults = CreateDatabaseSteps.defaults(run, first, name);
    if (texts) {
      alterCopies(run, schema.stem());
    }
    run.finish(
        List.of(
            new CatalogCommand.PutSchema(
                name,
                defaults.get(0),
                defaults.get(1),
                alter.defaultPartitions().orElse(schema.defaultPartitions()))));
    return new DdlOutcome(1, "", warnings);
  }

  private void alterCopies(JobRun run, String stem) {
    run.at(
        Place.shadows(name, run.dns()),
        place ->
            run
                .query(place.dn(), Sql.of("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA"))
                .stream()
                .map(List::getFirst)
                .filter(found -> found.equals(name) || Schema.isPhysical(stem, found))
                .forEach(found -> run.executeCopy(place.dn(), sql(found))));
  }

  private Sql sql(String schema) {
    Sql sql = Sql.of("ALTER DATABASE ").name(schema);
    return CreateDatabaseSteps.withDefaults(sql, alter.charset(), alter.collation());
  }

  @Override
  public void back(JobRun run) {
    // the first statement is the only one that can be refused, and then nothing has changed
  }
}
