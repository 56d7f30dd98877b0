package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.BeforeJob;
import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.PlacementRules;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.cn.ddl.rule.ColumnIndexRules;
import io.alrai.cn.ddl.rule.ForeignKeyPlaces;
import io.alrai.cn.ddl.rule.ForeignKeyRules;
import io.alrai.cn.ddl.rule.ForeignKeyRules.Placed;
import io.alrai.cn.ddl.rule.LikelyCopies;
import io.alrai.cn.ddl.rule.LoggedCascades;
import io.alrai.cn.ddl.rule.NewTable;
import io.alrai.cn.ddl.rule.PhysicalText;
import io.alrai.cn.ddl.rule.StorageEngines;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.optimizer.api.DdlStatement.NewColumnIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE TABLE, LIKE included:
 *
 * <ol>
 *   <li>the shadow on the first DN: the mysqld says what is wrong with the text, and what columns a
 *       query gives; with it all other tables, where it can be said from the text where they come;
 *   <li>placement, from the definition that the mysqld made of it; a table group is joined or made;
 *   <li>all other tables as copies of that definition, where those that are there do not fit;
 *   <li>the catalog, which may name a column index at once.
 * </ol>
 *
 * Rolled back by dropping whatever is there. A query's rows come after the job, see {@code
 * FilledTables}; a job with one is never taken up again but rolled back.
 */
final class CreateTableSteps implements DdlSteps {
  private static final String GROUP = "group";

  /** NULL for a column without, division by zero, a check that is not fulfilled. */
  private static final Set<Integer> OF_ROWS = Set.of(1048, 1365, 3819);

  private final NewTable made;
  private final ColumnIndexBuilds builds;

  CreateTableSteps(NewTable made, ColumnIndexBuilds builds) {
    this.made = made;
    this.builds = builds;
    NameRules.newTable(made.name());
  }

  @Override
  public String kind() {
    return "CREATE_TABLE";
  }

  @Override
  public Set<Target> targets() {
    Set<Target> targets = new HashSet<>(made.referred());
    targets.add(new Target(made.schema(), made.name()));
    made.source().ifPresent(source -> targets.add(new Target(source.schema(), source.name())));
    return targets;
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, made.schema());
    if (isTaken(catalog)) {
      if (made.ifNotExists()) {
        List<SqlWarning> warnings = new ArrayList<>(made.warnings());
        warnings.add(
            SqlWarning.note(
                ErrorCode.ER_TABLE_EXISTS_ERROR.errno(),
                NameRules.tableExistsSentence(made.name())));
        return Optional.of(DdlOutcome.with(warnings));
      }
      throw NameRules.tableExists(made.name());
    }
    made.source().ifPresent(source -> source.in(catalog));
    return Optional.empty();
  }

  /** Whether there is one of that name: the job's own comes with its end. */
  private boolean isTaken(Catalog catalog) {
    return catalog.table(made.schema(), made.name()).isPresent()
        || catalog.view(made.schema(), made.name()).isPresent();
  }

  @Override
  public Optional<Sql> unread() {
    return made.unread();
  }

  @Override
  public Map<String, String> firstNotes(Catalog catalog, BeforeJob before) {
    return likelyGroup(catalog)
        .map(group -> Map.of(GROUP, String.valueOf(group.id())))
        .orElse(Map.of());
  }

  /** The group that the table most likely joins, where its shadow need not be seen first. */
  private Optional<TableGroup> likelyGroup(Catalog catalog) {
    boolean open =
        made.clause().isEmpty()
            && made.tableGroup().isEmpty()
            && made.referred().isEmpty()
            && !made.filled();
    return open
        ? catalog.schema(made.schema()).flatMap(schema -> made.likely().group(schema))
        : Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (made.filled() && !run.hasClient()) {
      throw new AlraiException(
          ErrorCode.ER_QUERY_INTERRUPTED,
          "Query execution was interrupted: nobody is left who would fill the table");
    }
    Place first = run.firstShadow(made.schema());
    if (run.resumed()) {
      if (isTaken(run.gms().catalog())) {
        throw NameRules.tableExists(made.name());
      }
      back(run);
    }
    LikelyCopies copies =
        new LikelyCopies(
            run, made.schema(), made.name(), run.resumed() ? Optional.empty() : notedGroup(run));
    List<SqlWarning> warnings = new ArrayList<>(made.warnings());
    warnings.addAll(shadow(run, first, copies));
    TableDefinition definition = run.read(first, made.name());
    TableText text = definition.text();
    StorageEngines.requireInnoDb(text);
    NameRules.columns(definition);
    Placed placed = placed(run, definition);
    if (!copies.fit(definition, placed.group())) {
      copies.drop();
      run.note(GROUP, String.valueOf(placed.group().id()));
      createCopies(run, definition, placed.group());
    }
    Table table = table(run, definition, placed);
    if (text.nextAutoIncrement() > 1 && !table.ownIds()) {
      run.gms().raise(table.sequence(), text.nextAutoIncrement() - 1);
    }
    if (made.columnIndex().isPresent()) {
      LoggedCascades.require(run, first, text);
    }
    run.finish(List.of(new CatalogCommand.PutTable(indexed(table, text, run.jobId(), warnings))));
    return DdlOutcome.with(warnings);
  }

  /**
   * Makes the shadow. A query over empty tables may give rows, which it must not have; nor are
   * their warnings the client's.
   */
  private List<SqlWarning> shadow(JobRun run, Place first, LikelyCopies copies) {
    DdlShards.Executed done =
        copies.createWith(new Place(first.dn(), made.shadowSchema()), made.shadowSql());
    if (done.affectedRows() > 0) {
      run.executeCopy(first, Sql.of("TRUNCATE TABLE ").name(made.name()));
    }
    return done.warnings().stream().filter(warning -> !isOfRows(warning)).toList();
  }

  private static boolean isOfRows(SqlWarning warning) {
    return OF_ROWS.contains(warning.errno()) || warning.sentence().contains(" at row ");
  }

  /** The table with its column index, which is built after the statement. */
  private Table indexed(Table table, TableText text, long job, List<SqlWarning> warnings) {
    if (made.columnIndex().isEmpty()) {
      return table;
    }
    NewColumnIndex index = made.columnIndex().get();
    ColumnIndexRules.columns(index, table);
    Table indexed = ColumnIndexRules.named(index, table, text, job);
    builds.check(indexed);
    warnings.addAll(ColumnIndexRules.warnings(index));
    return indexed;
  }

  /** Where its foreign keys, and those that refer to it, can be kept. */
  private Placed placed(JobRun run, TableDefinition definition) {
    TableText text = definition.text();
    ForeignKeyPlaces places = new ForeignKeyPlaces(run, made.schema());
    Placed chosen = placed(run, definition, partitioning(run, definition, text));
    Optional<AlraiException> refusal = places.refusal(chosen, text);
    if (refusal.isEmpty()) {
      return chosen;
    }
    if (!placedByDefault(run) && !(chosen.partitioning() instanceof Partitioning.Single)) {
      throw refusal.get();
    }
    Placed single = placed(run, definition, new Partitioning.Single());
    places.require(single, text);
    return single;
  }

  private Placed placed(JobRun run, TableDefinition definition, Partitioning partitioning) {
    TableGroup group =
        run.tableGroups()
            .join(
                made.schema(),
                made.tableGroup(),
                PlacementRules.signature(definition, partitioning),
                partitioning);
    return new Placed(made.name(), partitioning, group);
  }

  private boolean placedByDefault(JobRun run) {
    return made.source().isPresent()
        ? made.source().get().in(run.gms().catalog()).placedByDefault()
        : made.clause().isEmpty() && made.tableGroup().isEmpty();
  }

  private Partitioning partitioning(JobRun run, TableDefinition definition, TableText text) {
    Schema schema = NameRules.existingSchema(run.gms().catalog(), made.schema());
    if (made.source().isPresent()) {
      return made.source().get().in(run.gms().catalog()).partitioning();
    }
    if (made.clause().isPresent()) {
      return PlacementRules.byClause(definition, made.clause().get(), schema.defaultPartitions());
    }
    return new ForeignKeyRules(schema)
        .placementOfParents(made.name(), definition, text)
        .orElseGet(() -> PlacementRules.byDefault(definition, schema.defaultPartitions()));
  }

  private void createCopies(JobRun run, TableDefinition definition, TableGroup group) {
    List<Sql> partition = PhysicalText.create(definition, made.name(), run.jobId());
    List<Sql> shadow = List.of(Sql.client(definition.createText()));
    List<Place> shadows = run.otherShadows(made.schema());
    List<Place> places = new ArrayList<>(Place.ofRows(group, run.dns()));
    places.addAll(shadows);
    run.atOnce(
        places,
        place -> {
          List<Sql> texts = shadows.contains(place) ? shadow : partition;
          texts.forEach(sql -> run.executeCopy(place, sql));
        });
  }

  private Table table(JobRun run, TableDefinition definition, Placed placed) {
    return table(
        run.newTableId(),
        made.schema(),
        made.name(),
        definition,
        placed.partitioning(),
        placed.group().id(),
        placedByDefault(run));
  }

  /** The catalog's view of a definition. */
  static Table table(
      long id,
      String schema,
      String name,
      TableDefinition definition,
      Partitioning partitioning,
      long groupId,
      boolean placedByDefault) {
    Optional<TableDefinition.UniqueKey> primaryKey = definition.primaryKey();
    List<Column> columns = new ArrayList<>(definition.columns());
    if (primaryKey.isEmpty()) {
      columns.add(
          new Column(
              Table.IMPLICIT_KEY,
              MysqlType.BIGINT,
              true,
              20,
              0,
              "",
              "",
              false,
              false,
              true,
              false));
    }
    return new Table(
        id,
        schema,
        name,
        columns,
        primaryKey.map(TableDefinition.UniqueKey::columns).orElse(List.of(Table.IMPLICIT_KEY)),
        definition.otherUniqueKeys(),
        primaryKey.isEmpty(),
        partitioning,
        groupId,
        List.of(),
        List.of(),
        partitioning instanceof Partitioning.Single,
        placedByDefault);
  }

  @Override
  public void back(JobRun run) {
    if (isTaken(run.gms().catalog())) {
      return; // it came while this job was waited for, and is another one's
    }
    List<Place> places = new ArrayList<>(Place.shadows(made.schema(), run.dns()));
    notedGroup(run).ifPresent(group -> places.addAll(Place.ofRows(group, run.dns())));
    run.atOnce(places, place -> run.dropIfThere(place, made.name()));
  }

  private Optional<TableGroup> notedGroup(JobRun run) {
    return run.gms()
        .catalog()
        .schema(made.schema())
        .flatMap(schema -> run.noted(GROUP).map(Long::valueOf).map(schema.tableGroups()::get));
  }
}
