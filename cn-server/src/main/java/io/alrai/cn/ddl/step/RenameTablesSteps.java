package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.Renaming;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * RENAME TABLE within a schema: at every place one atomic RENAME of the tables that are there, then
 * the catalog. Tables keep their ids, so that their sequences go on. InnoDB's table ids tell which
 * places are done.
 */
final class RenameTablesSteps implements DdlSteps {
  private static final String ID = "id.";
  private static final String NOTED = "ids";

  private final List<Step> steps = new ArrayList<>();

  /** One pair of the statement. */
  private record Step(Target from, Target to) {}

  RenameTablesSteps(List<Renaming> renamings, DdlSession session) {
    for (Renaming renaming : renamings) {
      Target from =
          new Target(NameRules.schemaOf(renaming.from(), session), renaming.from().table());
      Target to = new Target(NameRules.schemaOf(renaming.to(), session), renaming.to().table());
      NameRules.newTable(to.table());
      steps.add(new Step(from, to));
    }
  }

  static RenameTablesSteps of(DdlStatement.RenameTables rename, DdlSession session) {
    return new RenameTablesSteps(rename.renamings(), session);
  }

  @Override
  public String kind() {
    return "RENAME_TABLE";
  }

  @Override
  public Set<Target> targets() {
    Set<Target> targets = new HashSet<>();
    steps.forEach(step -> {
      targets.add(step.from);
      targets.add(step.to);
    });
    return targets;
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    boolean allBack = moves(catalog).isEmpty();
    return allBack ? Optional.of(DdlOutcome.QUIET) : Optional.empty();
  }

  /** From every first name to its last; checks each pair in the order of the statement. */
  private Map<Target, Target> moves(Catalog catalog) {
    Map<Target, Target> firstNames = new LinkedHashMap<>();
    Set<Target> gone = new HashSet<>();
    for (Step step : steps) {
      NameRules.existingSchema(catalog, step.from.schema());
      NameRules.existingSchema(catalog, step.to.schema());
      if (!step.from.schema().equals(step.to.schema())) {
        throw AlraiException.unsupported(
            "'RENAME TABLE to another schema': create the" + " table there and INSERT ... SELECT");
      }
      if (catalog.view(step.from.schema(), step.from.table()).isPresent()) {
        throw AlraiException.unsupported(
            "'RENAME TABLE of a view': create it anew and" + " drop the old one");
      }
      if (exists(catalog, step.to, firstNames, gone)
          || catalog.view(step.to.schema(), step.to.table()).isPresent()) {
        throw NameRules.tableExists(step.to.table());
      }
      if (!exists(catalog, step.from, firstNames, gone)) {
        throw NameRules.noSuchTable(step.from.schema(), step.from.table());
      }
      Target first = firstNames.getOrDefault(step.from, step.from);
      firstNames.remove(step.from);
      gone.add(step.from);
      gone.remove(step.to);
      firstNames.put(step.to, first);
    }
    Map<Target, Target> moves = new LinkedHashMap<>();
    firstNames.forEach((last, first) -> moves.put(first, last));
    moves.entrySet().removeIf(move -> move.getKey().equals(move.getValue()));
    return moves;
  }

  private static boolean exists(
      Catalog catalog, Target name, Map<Target, Target> firstNames, Set<Target> gone) {
    return firstNames.containsKey(name)
        || (!gone.contains(name) && catalog.table(name.schema(), name.table()).isPresent());
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Catalog catalog = run.gms().catalog();
    Map<Target, Target> moves = moves(catalog);
    Map<Place, Map<String, String>> byPlace = byPlace(run, catalog, moves);
    if (!run.has(NOTED)) {
      Map<String, String> ids = new HashMap<>();
      ids.put(NOTED, "yes");
      byPlace.forEach((place, names) ->
          names
              .keySet()
              .forEach(name -> ids.put(ID + place + "/" + name, TableIds.of(run, place, name))));
      run.note(ids, List.of());
    }
    List<Place> places = List.copyOf(byPlace.keySet());
    run.at(places.subList(0, 1), place -> rename(run, place, names(byPlace, place)));
    run.at(places.subList(1, places.size()), place -> rename(run, place, names(byPlace, place)));
    run.finish(changes(catalog, moves));
    return DdlOutcome.QUIET;
  }

  private static Map<String, String> names(Map<Place, Map<String, String>> byPlace, Place place) {
    return byPlace.getOrDefault(place, Map.of());
  }

  /** What is renamed where; the first shadow comes first. */
  private static Map<Place, Map<String, String>> byPlace(
      JobRun run, Catalog catalog, Map<Target, Target> moves) {
    Map<Place, Map<String, String>> byPlace = new LinkedHashMap<>();
    moves.forEach((first, last) -> {
      Table table = NameRules.existing(catalog, first.schema(), first.table());
      List<Place> places = new ArrayList<>(Place.shadows(first.schema(), run.dns()));
      places.addAll(Place.ofRows(catalog.tableGroup(table), run.dns()));
      for (Place place : places) {
        byPlace
            .computeIfAbsent(place, key -> new LinkedHashMap<>())
            .put(first.table(), last.table());
      }
    });
    return byPlace;
  }

  private static void rename(JobRun run, Place place, Map<String, String> names) {
    if (!isDone(run, place, names)) {
      run.executeCopy(place, sql(names, run.jobId()));
    }
  }

  private static boolean isDone(JobRun run, Place place, Map<String, String> names) {
    if (!run.resumed() && run.state() == DdlJob.State.RUNNING) {
      return false;
    }
    String name = names.keySet().iterator().next();
    String before = run.noted(ID + place + "/" + name).orElse("");
    return !before.isEmpty()
        ? !TableIds.of(run, place, name).equals(before)
        : !run.exists(place, name);
  }

  /** One statement, by way of names that nobody has where a new name is still taken. */
  private static Sql sql(Map<String, String> names, long jobId) {
    List<Sql> first = new ArrayList<>();
    List<Sql> second = new ArrayList<>();
    int number = 0;
    for (Map.Entry<String, String> move : names.entrySet()) {
      if (names.containsKey(move.getValue())) {
        String between = "__alrai_move_" + jobId + "_" + number++;
        first.add(Sql.EMPTY.name(move.getKey()).words(" TO ").name(between));
        second.add(Sql.EMPTY.name(between).words(" TO ").name(move.getValue()));
      } else {
        first.add(Sql.EMPTY.name(move.getKey()).words(" TO ").name(move.getValue()));
      }
    }
    first.addAll(second);
    return Sql.of("RENAME TABLE ").add(Sql.join(", ", first));
  }

  private static List<CatalogCommand> changes(Catalog catalog, Map<Target, Target> moves) {
    List<CatalogCommand> changes = new ArrayList<>();
    moves
        .keySet()
        .forEach(first -> changes.add(new CatalogCommand.DropTable(first.schema(), first.table())));
    moves.forEach((first, last) ->
        changes.add(
            new CatalogCommand.PutTable(
                NameRules.existing(catalog, first.schema(), first.table())
                    .withName(last.table()))));
    return changes;
  }

  @Override
  public void back(JobRun run) {
    if (!run.has(NOTED)) {
      return;
    }
    Catalog catalog = run.gms().catalog();
    Map<Place, Map<String, String>> byPlace = byPlace(run, catalog, moves(catalog));
    run.at(
        List.copyOf(byPlace.keySet()),
        place -> {
          Map<String, String> names = names(byPlace, place);
          if (isDone(run, place, names)) {
            Map<String, String> reversed = new LinkedHashMap<>();
            names.forEach((from, to) -> reversed.put(to, from));
            run.executeCopy(place, sql(reversed, run.jobId()));
          }
        });
  }
}
