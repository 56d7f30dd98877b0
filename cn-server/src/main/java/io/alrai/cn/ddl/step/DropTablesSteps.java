package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.ForeignKeyTies;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * DROP TABLE: the first DN's shadows, where foreign keys are checked, if any refer to one of the
 * tables, and where else LOCK TABLES of others is waited for; then the catalog; then everywhere
 * else. From the catalog on it can only go forward.
 */
final class DropTablesSteps implements DdlSteps {
  private static final String GROUP = "group.";

  private final DdlStatement.DropTables drop;
  private final List<Target> names;

  DropTablesSteps(DdlStatement.DropTables drop, DdlSession session) {
    this.drop = drop;
    this.names = DroppedNames.of(drop.names(), session);
  }

  @Override
  public String kind() {
    return "DROP_TABLE";
  }

  @Override
  public Set<Target> targets() {
    return Set.copyOf(names);
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    List<Target> missing =
        names.stream()
            .filter(
                name -> drop.temporary() || catalog.table(name.schema(), name.table()).isEmpty())
            .toList();
    return DroppedNames.check(names, missing, drop.ifExists());
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    List<SqlWarning> notes = new ArrayList<>();
    boolean firstDone;
    if (run.isOnlyForward()) {
      run.awaitCatalog();
      firstDone = false;
    } else {
      firstDone = dropFromCatalog(run, notes);
    }
    for (Target name : names) {
      run.noted(GROUP + DroppedNames.text(name))
          .ifPresent(group -> dropRest(run, name, Long.parseLong(group), firstDone));
    }
    run.finish(List.of());
    return DdlOutcome.with(notes);
  }

  /** Returns whether the first shadows are gone, too. */
  private boolean dropFromCatalog(JobRun run, List<SqlWarning> notes) {
    Catalog catalog = run.gms().catalog();
    List<CatalogCommand> changes = new ArrayList<>();
    Map<String, String> groups = new HashMap<>();
    List<Target> present = new ArrayList<>();
    List<Target> missing = new ArrayList<>();
    for (Target name : names) {
      Optional<Table> table = catalog.table(name.schema(), name.table());
      if (table.isEmpty()) {
        missing.add(name);
      } else {
        present.add(name);
        groups.put(GROUP + DroppedNames.text(name), String.valueOf(table.get().tableGroupId()));
        changes.add(new CatalogCommand.DropTable(name.schema(), name.table()));
      }
    }
    notes.addAll(DroppedNames.notes(missing));
    AtomicBoolean referred = new AtomicBoolean();
    run.together(
        () -> referred.set(isReferred(run, present)),
        () ->
            present.forEach(
                name -> run.awaitUnlocked(run.firstShadow(name.schema()), name.table())));
    if (referred.get()) {
      // a crash right after this goes on: the statement has been found good
      Place first = run.firstShadow("");
      run.execute(first, Sql.of("DROP TABLE IF EXISTS ").add(qualified(present)));
    }
    run.onlyForward(groups, changes);
    return referred.get();
  }

  private static boolean isReferred(JobRun run, List<Target> present) {
    Map<String, ForeignKeyTies> ties = new HashMap<>();
    return present.stream()
        .anyMatch(name -> ties.computeIfAbsent(name.schema(), run::ties).isReferred(name.table()));
  }

  /** The names with commas between them. */
  static Sql qualified(List<Target> names) {
    return Sql.join(
        ", ", names.stream().map(name -> Sql.EMPTY.name(name.schema(), name.table())).toList());
  }

  private void dropRest(JobRun run, Target name, long groupId, boolean firstDone) {
    Sql sql = Sql.of("DROP TABLE IF EXISTS ").name(name.table());
    List<Place> places =
        new ArrayList<>(
            firstDone ? run.otherShadows(name.schema()) : Place.shadows(name.schema(), run.dns()));
    run.gms()
        .catalog()
        .schema(name.schema())
        .map(schema -> schema.tableGroups().get(groupId))
        .ifPresent(group -> places.addAll(Place.ofRows(group, run.dns())));
    run.atOnce(places, place -> run.executeCopy(place, sql));
  }

  @Override
  public void back(JobRun run) {
    // the first statement is the only one that can be refused, and then nothing has changed
  }
}
