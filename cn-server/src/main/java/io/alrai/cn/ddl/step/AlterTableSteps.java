package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.ForeignKeyTies;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.cn.ddl.rule.AlterPlan;
import io.alrai.cn.ddl.rule.AlterRules;
import io.alrai.cn.ddl.rule.ForeignKeyPlaces;
import io.alrai.cn.ddl.rule.ForeignKeyRules.Placed;
import io.alrai.cn.ddl.rule.GeneratedKeys;
import io.alrai.cn.ddl.rule.ImplicitKey;
import io.alrai.cn.ddl.rule.InverseAlter;
import io.alrai.cn.ddl.rule.KeyLoss;
import io.alrai.cn.ddl.rule.LoggedCascades;
import io.alrai.cn.ddl.rule.PhysicalText;
import io.alrai.cn.ddl.rule.ReferredTables;
import io.alrai.cn.ddl.rule.StorageEngines;
import io.alrai.cn.ddl.rule.TablesApart;
import io.alrai.cn.ddl.rule.TriggerRules;
import io.alrai.cn.ddl.rule.TriggerTexts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.AlterAction;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * ALTER TABLE, CREATE INDEX, DROP INDEX:
 *
 * <ol>
 *   <li>the first DN's shadow, where the mysqld says what is wrong with the text; rules of
 *       placement are checked on what it made of it;
 *   <li>conversions of values are tried on a copy of each partition;
 *   <li>every partition runs what can be undone;
 *   <li>every partition drops columns: from here on the job only goes forward;
 *   <li>the other shadows, at the same time as the partitions where all can be undone; then the
 *       catalog.
 * </ol>
 *
 * AUTO_INCREMENT = n gives the table a new id, and with it a sequence of its own, so that no CN
 * goes on with ids that it has reserved. A partition that fails, say by a duplicate value for a new
 * unique key, has the others led back by the inverse of the change. Whether a place has the change
 * is seen by its SHOW CREATE TABLE.
 */
final class AlterTableSteps implements DdlSteps {
  private static final String BEFORE = "before";
  private static final String AFTER = "after";
  private static final String MIDDLE = "middle";
  private static final String TRIED = "tried";
  private static final String PARTITIONS = "partitions";

  private final String schema;
  private final String name;
  private final AlterPlan plan;
  private final GeneratedKeys generatedKeys;
  private final Set<Target> targets = new HashSet<>();
  private final List<SqlWarning> warnings = new ArrayList<>();

  /** The definition before the job; empty until it has been read. */
  private String beforeText = "";

  /** What referred to what before the job, if {@link #look} has been. */
  private Optional<ForeignKeyTies> ties = Optional.empty();

  /** Whether this run may have changed more than the first shadow. */
  private boolean partitionsBegun;

  AlterTableSteps(DdlStatement.AlterTable alter, DdlSession session) {
    this.schema = NameRules.schemaOf(alter.name(), session);
    this.name = alter.name().table();
    this.plan =
        new AlterPlan(alter.actions().stream().map(action -> allowed(action, session)).toList());
    targets.add(new Target(schema, name));
    alter
        .actions()
        .forEach(action -> targets.addAll(ReferredTables.in(action.text(), schema, session)));
    this.generatedKeys = new GeneratedKeys(alter.actions(), session);
  }

  private AlterAction allowed(AlterAction action, DdlSession session) {
    if (action.kind() != AlterKind.OTHER && action.kind() != AlterKind.AUTO_INCREMENT) {
      return action; // a column may have the option's name
    }
    StorageEngines.Allowed allowed = StorageEngines.in(action.text(), session);
    warnings.addAll(allowed.ofAlter());
    return new AlterAction(
        action.kind(), allowed.text(), action.column(), action.newName(), action.words());
  }

  @Override
  public String kind() {
    return "ALTER_TABLE";
  }

  @Override
  public Set<Target> targets() {
    return targets;
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, schema);
    Table table = NameRules.existing(catalog, schema, name);
    TriggerRules.columnsStay(table.triggers(), plan);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Place first = run.firstShadow(schema);
    AlteredRows answers = new AlteredRows();
    answers.warnings(warnings);
    look(run);
    TableText before = TableText.of(beforeText);
    TableDefinition changed =
        run.has(AFTER) ? run.read(first, name) : changeShadow(run, first, before, answers);
    Table table = NameRules.existing(run.gms().catalog(), schema, name);
    List<Place> places = Place.ofRows(run.gms().catalog().tableGroup(table), run.dns());
    String afterText = run.noted(AFTER).orElse(changed.createText());
    TableText after = TableText.of(afterText);
    requireLogged(run, table, after);
    TableText middle = run.noted(MIDDLE).map(TableText::of).orElse(after);
    AlterRules rules = new AlterRules(table, plan);
    boolean keyed = rules.getsPrimaryKey(changed); // in one partition
    KeyLoss loss = new KeyLoss(run, rules.losesPrimaryKey(changed), middle, places);
    if (plan.changesPartitions() && !run.has(PARTITIONS)) {
      run.note(PARTITIONS, TableIds.ofPartitions(run, places.getFirst(), name));
    }
    Consumer<Place> otherShadow =
        shadow -> changeShadow(run, shadow, generatedKeys.drops(before, middle), before, afterText);
    boolean forwardOnly = keyed || loss.happens() || plan.changesPartitions();
    // a shadow that fails leads the partitions back: not where that cannot be
    boolean inOne = !run.isOnlyForward() && !forwardOnly && plan.drops().isEmpty();
    partitionsBegun = true;
    if (!run.isOnlyForward()) {
      tryConversions(run, before, after, places);
      String key = keyed ? ", " + ImplicitKey.DROP : "";
      String actions = generatedKeys.drops(before, middle) + plan.undoable() + key;
      Consumer<Place> undoable =
          rows(run, place -> actions + loss.withUndoable(place), before, middle, answers);
      if (inOne) {
        run.beside(places, undoable, run.otherShadows(schema), otherShadow);
      } else if (!(actions + loss.withUndoable(places.getFirst())).isEmpty()) {
        run.at(places, undoable);
      }
    }
    if (forwardOnly) {
      run.onlyForward();
    }
    if (keyed) {
      run.at(places, place -> ImplicitKey.dropTrigger(run, place, name));
    }
    if (!plan.drops().isEmpty()) {
      run.onlyForward();
      run.at(
          places, rows(run, place -> plan.drops() + loss.withDrops(place), middle, after, answers));
    }
    if (loss.happens()) {
      run.at(places, place -> ImplicitKey.complete(run, place, name));
    }
    if (!inOne) {
      run.at(run.otherShadows(schema), otherShadow);
    }
    finish(run, table, places, changed, rules);
    return answers.outcome(places);
  }

  /** Column indexes follow the log. */
  private void requireLogged(JobRun run, Table table, TableText after) {
    if (!table.columnIndexes().isEmpty() && !run.isOnlyForward()) {
      LoggedCascades.require(run, run.firstShadow(schema), after);
    }
  }

  private void finish(
      JobRun run, Table table, List<Place> places, TableDefinition definition, AlterRules rules) {
    Table altered = altered(run, table, definition, rules.partitioning(definition));
    new SequenceRaise(run, altered, plan.setsAutoIncrement()).raise(table, definition, places);
    run.finish(
        plan.renews()
            ? List.of(
                new CatalogCommand.DropTable(schema, name), new CatalogCommand.PutTable(altered))
            : List.of(new CatalogCommand.PutTable(altered)));
  }

  private Table altered(
      JobRun run, Table table, TableDefinition definition, Partitioning partitioning) {
    return CreateTableSteps.table(
            plan.renews() ? run.newTableId() : table.id(),
            schema,
            name,
            definition,
            partitioning,
            table.tableGroupId(),
            table.placedByDefault())
        .withColumnIndexes(table.columnIndexes())
        .withTriggers(table.triggers())
        .withOwnIds(table.ownIds());
  }

  /**
   * Reads what was there before the job: of the last shadow, which changes only when this is noted.
   */
  private void look(JobRun run) {
    Place last = Place.shadows(schema, run.dns()).getLast();
    run.together(
        () -> beforeText = run.noted(BEFORE).orElseGet(() -> run.readText(last, name)),
        () -> ties = Optional.of(run.ties(schema)));
  }

  /** The shadow is empty: errors of the text and of its meaning show, errors of data cannot. */
  private TableDefinition changeShadow(
      JobRun run, Place first, TableText before, AlteredRows answers) {
    Table table = NameRules.existing(run.gms().catalog(), schema, name);
    boolean split = !plan.drops().isEmpty() && !plan.undoable().isEmpty();
    if (run.resumed()) {
      leadBack(run, first, before);
    }
    Runnable change = () -> answers.warnings(run.execute(first, sql(plan.whole())).warnings());
    if (run.has(BEFORE)) {
      change.run();
    } else if (run.dns().size() == 1) {
      run.note(BEFORE, beforeText);
      change.run();
    } else {
      run.together(change, () -> run.note(BEFORE, beforeText)); // the other shadows have it yet
    }
    TableDefinition definition = run.read(first, name);
    check(run, table, definition, before);
    if (isSeenAnew(new AlterRules(table, plan), definition)) {
      return definition;
    }
    String middle = plan.drops().isEmpty() ? definition.createText() : beforeText;
    if (split) {
      restore(run, first, beforeText);
      run.execute(first, sql(plan.undoable()));
      middle = run.readText(first, name);
      run.execute(first, sql(plan.drops()));
      definition = run.read(first, name);
    }
    run.note(Map.of(AFTER, definition.createText(), MIDDLE, middle), List.of());
    return definition;
  }

  /**
   * Whether a later run can change the first shadow once more to see what comes of it: where all is
   * one step that can be undone.
   */
  private boolean isSeenAnew(AlterRules rules, TableDefinition definition) {
    return plan.drops().isEmpty()
        && plan.conversions().isEmpty()
        && !plan.changesPartitions()
        && !rules.getsPrimaryKey(definition)
        && !rules.losesPrimaryKey(definition);
  }

  /**
   * Whether its places allow it; a table that was placed by default comes into one partition where
   * that helps.
   */
  private void check(JobRun run, Table table, TableDefinition after, TableText before) {
    AlterRules rules = new AlterRules(table, plan);
    try {
      rules.check(after, before);
    } catch (AlraiException refusal) {
      if (!table.movable()) {
        throw refusal;
      }
      Table single = table.withPlacement(new Partitioning.Single(), table.tableGroupId());
      new AlterRules(single, plan).check(after, before);
      throw new TablesApart(schema, Set.of(name), refusal);
    }
    TableGroup group = run.gms().catalog().tableGroup(table);
    new ForeignKeyPlaces(run, schema, ties.orElseThrow())
        .require(new Placed(name, rules.partitioning(after), group), after.text());
  }

  private Sql sql(String actions) {
    return Sql.of("ALTER TABLE ").name(name).words(" ").written(actions);
  }

  /** What a table of rows comes to, unless it has been brought there before. */
  private Consumer<Place> rows(
      JobRun run,
      Function<Place, String> actions,
      TableText from,
      TableText to,
      AlteredRows answers) {
    return place -> {
      boolean done =
          run.resumed()
              && (same(from, to) ? partitionsChanged(run, place) : same(current(run, place), to));
      if (!done) {
        answers.add(place, run.execute(place, sql(actions.apply(place))));
      }
    };
  }

  /** What changes no definition, TRUNCATE PARTITION, is seen by this: rows of later stay. */
  private boolean partitionsChanged(JobRun run, Place place) {
    return run.noted(PARTITIONS)
        .filter(before -> !before.equals(TableIds.ofPartitions(run, place, name)))
        .isPresent();
  }

  private TableText current(JobRun run, Place place) {
    return PhysicalText.logical(run.readText(place, name));
  }

  private static boolean same(TableText one, TableText other) {
    return one.columns().equals(other.columns())
        && List.copyOf(one.columns().keySet()).equals(List.copyOf(other.columns().keySet()))
        && one.keys().equals(other.keys())
        && one.constraints().equals(other.constraints())
        && one.options().equals(other.options());
  }

  /** Conversions may round or cut values and cannot be undone: they are tried on copies first. */
  private void tryConversions(JobRun run, TableText before, TableText after, List<Place> places) {
    String conversions = plan.conversions();
    if (conversions.isEmpty()
        || run.has(TRIED)
        || places.size() == 1
        || !Conversions.mayLose(before, after, plan.renamedColumns())) {
      return;
    }
    Sql copy = copyName(run);
    run.at(
        places,
        place -> {
          run.executeCopy(place, Sql.of("DROP TABLE IF EXISTS ").add(copy));
          run.executeCopy(place, Sql.of("CREATE TABLE ").add(copy).words(" LIKE ").name(name));
          run.executeCopy(
              place,
              Sql.of("INSERT INTO ").add(copy).add(Conversions.copyColumns(run, place, name)));
          run.execute(place, Sql.of("ALTER TABLE ").add(copy).words(" ").written(conversions));
        });
    dropCopies(run, places);
    run.note(TRIED, "yes");
  }

  private static Sql copyName(JobRun run) {
    return Sql.EMPTY.name("__alrai_try_" + run.jobId());
  }

  private static void dropCopies(JobRun run, List<Place> places) {
    run.at(
        places,
        place -> run.executeCopy(place, Sql.of("DROP TABLE IF EXISTS ").add(copyName(run))));
  }

  private void changeShadow(
      JobRun run, Place shadow, String generated, TableText before, String afterText) {
    TableText now = current(run, shadow);
    if (same(now, before)) {
      run.execute(shadow, sql(generated + plan.whole()));
    } else if (!same(now, TableText.of(afterText))) {
      restore(run, shadow, afterText);
    }
  }

  /** Makes an empty table anew from a definition. */
  private void restore(JobRun run, Place shadow, String createText) {
    run.executeCopy(shadow, Sql.of("DROP TABLE IF EXISTS ").name(name));
    run.executeCopy(shadow, Sql.client(createText));
    TriggerTexts.restore(run, shadow, NameRules.existing(run.gms().catalog(), schema, name));
  }

  /** Leads a shadow back; its references from other tables are kept where that is possible. */
  private void leadBack(JobRun run, Place shadow, TableText before) {
    if (!run.exists(shadow, name) || !plan.drops().isEmpty()) {
      restore(run, shadow, beforeText);
    } else {
      undo(run, shadow, before);
    }
  }

  private void undo(JobRun run, Place place, TableText before) {
    String now = run.readText(place, name);
    boolean hadKey = before.keys().containsKey(TableText.PRIMARY);
    String key = hadKey ? ImplicitKey.undo(now) : "";
    String inverse = InverseAlter.of(before, PhysicalText.logical(now), plan.renamedColumns());
    if (!inverse.isEmpty()) {
      run.executeCopy(place, sql(key.isEmpty() ? inverse : key + ", " + inverse));
    }
  }

  @Override
  public void back(JobRun run) {
    if (beforeText.isEmpty()) {
      if (!run.resumed()) {
        return; // nothing has changed
      }
      look(run);
    }
    TableText before = TableText.of(beforeText);
    if (partitionsBegun || run.resumed()) {
      Table table = NameRules.existing(run.gms().catalog(), schema, name);
      List<Place> places = Place.ofRows(run.gms().catalog().tableGroup(table), run.dns());
      if (!plan.conversions().isEmpty()) {
        dropCopies(run, places);
      }
      run.at(places, place -> undo(run, place, before));
    }
    run.at(Place.shadows(schema, run.dns()), place -> leadBack(run, place, before));
  }
}
