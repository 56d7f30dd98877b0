package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlText;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.DefinerAccounts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.DdlStatement.ViewVerb;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.inspect.DdlText;
import io.alrai.optimizer.api.token.FunctionCalls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE VIEW and ALTER VIEW:
 *
 * <ol>
 *   <li>the view's definer becomes a locked account of every mysqld, so that these can open views
 *       in its name;
 *   <li>the shadow on the first DN: the mysqld says what is wrong with the text, and writes it down
 *       with all names qualified;
 *   <li>the other shadows, from that text;
 *   <li>the catalog.
 * </ol>
 *
 * Rolled back by making the shadows what the catalog says. No place of rows has a view.
 */
final class CreateViewSteps implements DdlSteps {
  private static final String BEGUN = "begun";

  private final DdlStatement.CreateView create;
  private final DdlSession session;
  private final String schema;
  private final String name;

  CreateViewSteps(DdlStatement.CreateView create, DdlSession session) {
    this.create = create;
    this.session = session;
    this.schema = NameRules.schemaOf(create.name(), session);
    this.name = create.name().table();
    NameRules.newTable(name);
  }

  @Override
  public String kind() {
    return "CREATE_VIEW";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(new Target(schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, schema);
    boolean table = catalog.table(schema, name).isPresent();
    boolean view = catalog.view(schema, name).isPresent();
    if (create.verb() == ViewVerb.CREATE && (table || view)) {
      if (!create.ifNotExists()) {
        throw NameRules.tableExists(name);
      }
      SqlWarning note =
          SqlWarning.note(
              ErrorCode.ER_TABLE_EXISTS_ERROR.errno(), NameRules.tableExistsSentence(name));
      return Optional.of(DdlOutcome.with(List.of(note)));
    }
    if (table) {
      throw NameRules.wrongObject(schema, name, "VIEW");
    }
    if (create.verb() == ViewVerb.ALTER && !view) {
      throw NameRules.noSuchTable(schema, name);
    }
    return Optional.empty();
  }

  @Override
  public Optional<Sql> unread() {
    return Optional.of(
        Sql.of("CREATE VIEW ").name(NameRules.NOWHERE, name).words(" ").written(create.body()));
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (!run.has(BEGUN)) {
      run.note(BEGUN, "yes");
    }
    definer()
        .ifPresent(definer -> {
          if (run.gms().catalog().accounts().containsKey(account(definer))) {
            run.at(
                Place.shadows(schema, run.dns()),
                place -> DefinerAccounts.make(run, place.dn(), account(definer)));
          }
        });
    Place first = run.firstShadow(schema);
    List<SqlWarning> warnings =
        run.execute(new Place(first.dn(), session.currentSchema()), shadowSql()).warnings();
    View view = read(run, first);
    run.at(run.otherShadows(schema), place -> make(run, place, view));
    run.finish(List.of(new CatalogCommand.PutView(view)));
    return DdlOutcome.with(warnings);
  }

  /** Empty for ALTER VIEW that keeps the one it has. */
  private Optional<UserName> definer() {
    if (create.definer().filter(definer -> !definer.equals(UserName.CURRENT)).isPresent()) {
      return create.definer();
    }
    return create.verb() == ViewVerb.ALTER && create.definer().isEmpty()
        ? Optional.empty()
        : Optional.of(new UserName(session.user(), session.host()));
  }

  private static String account(UserName user) {
    return user.user() + "@" + user.host();
  }

  private static Sql quoted(UserName user) {
    return Sql.EMPTY.name(user.user()).words("@").name(user.host());
  }

  /** May run again, and over the view that is to be replaced. */
  private Sql shadowSql() {
    Sql verb = Sql.of(create.verb() == ViewVerb.ALTER ? "ALTER" : "CREATE OR REPLACE");
    return verb.add(create.algorithm().map(Sql.of(" ALGORITHM=")::word).orElse(Sql.EMPTY))
        .add(definer().map(user -> Sql.of(" DEFINER=").add(quoted(user))).orElse(Sql.EMPTY))
        .add(create.security().map(Sql.of(" SQL SECURITY ")::word).orElse(Sql.EMPTY))
        .words(" VIEW ")
        .name(schema, name)
        .words(" ")
        .written(create.body());
  }

  /** What the mysqld has made of the text. */
  private View read(JobRun run, Place place) {
    // names are qualified where the view's schema is not the current one
    Place elsewhere = new Place(place.dn(), "information_schema");
    List<String> row =
        run.query(elsewhere, Sql.of("SHOW CREATE VIEW ").name(schema, name)).getFirst();
    String definition = row.get(1);
    if (!(DdlText.parse(definition).orElse(null) instanceof DdlStatement.CreateView made)) {
      throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "no view's definition: " + definition);
    }
    Sql where =
        Sql.of(" WHERE TABLE_SCHEMA = ").string(schema).words(" AND TABLE_NAME = ").string(name);
    List<String> columns =
        run
            .query(
                place.dn(),
                Sql.of("SELECT COLUMN_NAME FROM information_schema.COLUMNS")
                    .add(where)
                    .words(" ORDER BY ORDINAL_POSITION"))
            .stream()
            .map(List::getFirst)
            .toList();
    String updatable =
        run.query(
                place.dn(), Sql.of("SELECT IS_UPDATABLE FROM information_schema.VIEWS").add(where))
            .getFirst()
            .getFirst();
    // what a view calls is of its own schema, whatever the current one is when it is read
    Planner.Context own = new Planner.Context(run.gms().catalog(), schema, false, false);
    boolean ofDefiner = made.security().filter("DEFINER"::equals).isPresent();
    return new View(
        schema,
        name,
        columns,
        made.query().renamed(),
        FunctionCalls.qualified(made.query().text(), own),
        definition,
        ofDefiner ? made.definer().map(CreateViewSteps::account).orElse("") : "",
        made.query().checked(),
        updatable.equals("YES"),
        row.get(2),
        row.get(3));
  }

  private static void make(JobRun run, Place place, View view) {
    run.executeCopy(
        place,
        Sql.client(view.definition().replaceFirst("^CREATE ", "CREATE OR REPLACE ")),
        Map.of(
            "character_set_client", SqlText.word(view.charset()),
            "collation_connection", SqlText.word(view.collation())));
  }

  @Override
  public void back(JobRun run) {
    if (!run.has(BEGUN)) {
      return;
    }
    Optional<View> before = run.gms().catalog().view(schema, name);
    run.at(
        Place.shadows(schema, run.dns()),
        place -> {
          if (before.isPresent()) {
            make(run, place, before.get());
          } else {
            run.executeCopy(place, Sql.of("DROP VIEW IF EXISTS ").name(name));
          }
        });
  }
}
