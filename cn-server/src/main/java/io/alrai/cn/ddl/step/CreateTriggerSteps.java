package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.TriggerRules;
import io.alrai.cn.ddl.rule.TriggerTexts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.TriggerBody;
import io.alrai.optimizer.api.TriggerBody.Edit;
import io.alrai.optimizer.api.inspect.BodyTables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * CREATE TRIGGER:
 *
 * <ol>
 *   <li>the shadow on the first DN, where the mysqld says what is wrong with the text;
 *   <li>the catalog: every CN plans with the trigger before it runs anywhere, and from here on the
 *       job only goes forward;
 *   <li>every partition, then the other shadows.
 * </ol>
 *
 * Rolled back by dropping it from the first shadow.
 */
final class CreateTriggerSteps implements DdlSteps {
  private static final String BEGUN = "begun";
  private static final String HIDDEN_PREFIX = "__alrai_";

  private final DdlStatement.CreateTrigger create;
  private final DdlSession session;
  private final String schema;
  private final String tableSchema;
  private final String name;
  private final BodyTables tables;

  CreateTriggerSteps(DdlStatement.CreateTrigger create, DdlSession session) {
    this.create = create;
    this.session = session;
    this.schema = NameRules.schemaOf(create.name(), session);
    this.tableSchema = NameRules.schemaOf(create.table(), session);
    this.name = create.name().table();
    this.tables = BodyTables.of(create.body());
    if (name.toLowerCase(Locale.ROOT).startsWith(HIDDEN_PREFIX)) {
      throw TriggerRules.refused("trigger " + name, ": Alrai keeps names of this form for itself");
    }
  }

  @Override
  public String kind() {
    return "CREATE_TRIGGER";
  }

  @Override
  public Set<Target> targets() {
    Set<Target> targets = new HashSet<>();
    targets.add(new Target(tableSchema, create.table().table()));
    targets.add(target(schema, name));
    // none of them becomes another kind of table meanwhile
    tables.names().forEach(each -> targets.add(new Target(schema, each)));
    return targets;
  }

  /** Two triggers of one name, perhaps of two tables, are not made at the same time. */
  static Target target(String schema, String trigger) {
    return new Target(schema, "trigger " + trigger.toLowerCase(Locale.ROOT));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, tableSchema);
    String table = create.table().table();
    Optional<Table> found = catalog.table(tableSchema, table);
    if (found.isEmpty() && catalog.view(tableSchema, table).isEmpty()) {
      throw NameRules.noSuchTable(tableSchema, table);
    }
    if (!schema.equals(tableSchema)) {
      throw new AlraiException(ErrorCode.ER_TRG_IN_WRONG_SCHEMA, "Trigger in wrong schema");
    }
    // what is wrong with a view, or with a name that is taken, the mysqld says
    if (found.isPresent() && catalog.triggered(schema, name).isEmpty()) {
      TriggerRules.together(name, tables, found.get(), catalog);
      TriggerRules.check(name, create.body(), found.get());
    }
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Place first = new Place(run.firstShadow(schema).dn(), session.currentSchema());
    if (run.isOnlyForward()) {
      run.awaitCatalog();
    } else {
      boolean taken = run.gms().catalog().triggered(schema, name).isPresent();
      if (taken) {
        DdlOutcome outcome = DdlOutcome.with(run.execute(first, shadowSql()).warnings());
        run.finish(List.of());
        return outcome;
      }
      if (run.has(BEGUN)) {
        back(run);
      } else {
        run.note(BEGUN, "yes");
      }
      run.executeAsAdmin(first, shadowSql());
      requireCopiesAlike(run);
      putInCatalog(run);
    }
    Catalog catalog = run.gms().catalog();
    Table table = NameRules.existing(catalog, schema, create.table().table());
    List<Edit> names =
        new ArrayList<>(tables.edits(catalog, NameRules.existingSchema(catalog, schema)));
    names.addAll(functions(run));
    Sql atRows =
        Sql.of("CREATE DEFINER=" + DdlShards.DDL_ACCOUNT + " ")
            .add(TriggerTexts.atRows(create, definer(), schema, names));
    Queue<List<SqlWarning>> warnings = new ConcurrentLinkedQueue<>();
    run.at(
        Place.ofRows(catalog.tableGroup(table), run.dns()),
        place -> {
          dropIfResumed(run, place);
          warnings.add(run.execute(place, atRows).warnings());
        });
    run.at(
        run.otherShadows(schema),
        place -> {
          dropIfResumed(run, place);
          run.executeAsAdmin(new Place(place.dn(), session.currentSchema()), shadowSql());
        });
    run.finish(List.of());
    return DdlOutcome.with(withDefiner(catalog, warnings.remove()));
  }

  private List<SqlWarning> withDefiner(Catalog catalog, List<SqlWarning> warnings) {
    if (catalog.accounts().containsKey(definer())) {
      return warnings;
    }
    List<SqlWarning> all = new ArrayList<>(warnings);
    all.add(TriggerTexts.unknownDefiner(definer()));
    return all;
  }

  private String definer() {
    UserName user =
        create
            .definer()
            .filter(given -> !given.equals(UserName.CURRENT))
            .orElse(new UserName(session.user(), session.host()));
    return user.user() + "@" + user.host();
  }

  /** The client's words, with the account that they mean. */
  private Sql shadowSql() {
    return Sql.of("CREATE DEFINER=")
        .add(TriggerTexts.quoted(definer()))
        .words(" ")
        .written(create.text());
  }

  private void requireCopiesAlike(JobRun run) {
    Table table = NameRules.existing(run.gms().catalog(), schema, create.table().table());
    if (table.partitioning() instanceof Partitioning.Broadcast && !functions(run).isEmpty()) {
      throw TriggerRules.refused(
          "a stored function in a trigger of a broadcast table",
          ": the servers might have different values");
    }
  }

  /**
   * The names of stored functions, which are in the shadow schemas only, be they there already or
   * not: what MySQL has no function of its own for.
   */
  private List<Edit> functions(JobRun run) {
    TriggerBody body = create.body();
    Set<String> stored = new HashSet<>(body.callees());
    stored.removeIf(function -> !isStored(run, function));
    return body.calls().stream()
        .filter(call -> stored.contains(call.name()))
        .map(call -> new Edit(call.start(), call.end(), Sql.EMPTY.name(schema, call.name()).text()))
        .toList();
  }

  /**
   * Without an argument MySQL's own functions fail in another way, if at all. In quotes it has
   * fewer.
   */
  private static boolean isStored(JobRun run, String function) {
    try {
      Place elsewhere = new Place(run.dns().getFirst(), "information_schema");
      boolean plain =
          function.chars().allMatch(c -> c == '_' || c < 128 && Character.isLetterOrDigit(c));
      Sql called = plain ? Sql.EMPTY.word(function) : Sql.EMPTY.name(function);
      run.query(elsewhere, Sql.of("SELECT ").add(called).words("()"));
      return false;
    } catch (AlraiException refused) {
      return refused.is(ErrorCode.ER_SP_DOES_NOT_EXIST);
    }
  }

  private void dropIfResumed(JobRun run, Place place) {
    if (run.resumed()) {
      run.executeCopy(place, TriggerTexts.drop(name));
    }
  }

  private void putInCatalog(JobRun run) {
    List<String> made =
        run.query(
                run.firstShadow(schema).dn(),
                Sql.of(
                        "SELECT SQL_MODE, CHARACTER_SET_CLIENT, COLLATION_CONNECTION FROM"
                            + " information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ")
                    .string(schema)
                    .words(" AND TRIGGER_NAME = ")
                    .string(name))
            .getFirst();
    Trigger trigger =
        new Trigger(
            name,
            create.timing(),
            create.event(),
            definer(),
            create.body().text(),
            create.body().reads(),
            create.body().sets(),
            tables.touched(run.gms().catalog(), schema),
            made.get(0),
            made.get(1),
            made.get(2));
    Table table = NameRules.existing(run.gms().catalog(), schema, create.table().table());
    Table watched =
        table.withTriggers(TriggerTexts.with(table.triggers(), trigger, create.order()));
    run.onlyForward(Map.of(), List.of(new CatalogCommand.PutTable(watched)));
  }

  @Override
  public void back(JobRun run) {
    if (run.has(BEGUN)) {
      run.executeCopy(run.firstShadow(schema), TriggerTexts.drop(name));
    }
  }
}
