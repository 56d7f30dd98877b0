package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.optimizer.api.DdlStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * TRUNCATE TABLE: the first shadow, where foreign keys are checked, if any refer to the table, and
 * where else LOCK TABLES of others is waited for; then the catalog, where it gets a new id and with
 * it a sequence that starts at 1 again; then every partition once, and with them the first shadow
 * if it has not been. Rows that come in after a partition's truncation stay, even if the job is
 * resumed: InnoDB's table ids tell which partitions are done.
 */
final class TruncateTableSteps implements DdlSteps {
  private static final String ID = "id.";

  private final String schema;
  private final String name;

  /** The partitions' numbers of tables, before the statement. */
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  TruncateTableSteps(DdlStatement.TruncateTable truncate, DdlSession session) {
    this.schema = NameRules.schemaOf(truncate.name(), session);
    this.name = truncate.name().table();
  }

  @Override
  public String kind() {
    return "TRUNCATE_TABLE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(new Target(schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (catalog.table(schema, name).isEmpty()) {
      throw NameRules.noSuchTable(schema, name);
    }
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Sql sql = Sql.of("TRUNCATE TABLE ").name(name);
    Place first = run.firstShadow(schema);
    List<Place> places = new ArrayList<>(places(run));
    if (run.isOnlyForward()) {
      run.awaitCatalog();
      places.add(first);
    } else if (look(run, first, places)) {
      run.execute(first, sql);
      startSequenceAgain(run);
    } else {
      startSequenceAgain(run);
      places.add(first);
    }
    run.atOnce(
        places,
        place -> {
          String before = run.noted(ID + place).orElse("");
          boolean done =
              run.resumed() && !before.isEmpty() && !TableIds.of(run, place, name).equals(before);
          if (!done) {
            run.executeCopy(place, sql);
          }
        });
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  private List<Place> places(JobRun run) {
    Catalog catalog = run.gms().catalog();
    TableGroup group = catalog.tableGroup(NameRules.existing(catalog, schema, name));
    return Place.ofRows(group, run.dns());
  }

  /** Reads all that is to be known of the table; returns whether others refer to it. */
  private boolean look(JobRun run, Place first, List<Place> partitions) {
    AtomicBoolean referred = new AtomicBoolean();
    run.together(
        () -> referred.set(run.ties(schema).isReferred(name)),
        () -> run.awaitUnlocked(first, name),
        () -> run.atOnce(partitions, place -> ids.put(ID + place, TableIds.of(run, place, name))));
    return referred.get();
  }

  private void startSequenceAgain(JobRun run) {
    Table old = NameRules.existing(run.gms().catalog(), schema, name);
    Table fresh = old.withId(run.newTableId());
    run.onlyForward(
        ids,
        List.of(new CatalogCommand.DropTable(schema, name), new CatalogCommand.PutTable(fresh)));
  }

  @Override
  public void back(JobRun run) {
    // the shadow is empty anyway, and nothing else changes before the catalog
  }
}
