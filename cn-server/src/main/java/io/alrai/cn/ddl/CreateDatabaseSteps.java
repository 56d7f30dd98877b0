package io.alrai.cn.ddl;

import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Schema;
import io.alrai.optimizer.api.DdlStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE DATABASE: the shadow schema on the first DN, which checks the clauses; then on all, each
 * with the shadow account's grant and the schema of broadcast tables; the catalog last.
 */
final class CreateDatabaseSteps implements DdlSteps {
  /** Name of the cluster setting for databases that do not say how many partitions. */
  static final String DEFAULT_PARTITIONS = "default_partitions";

  /** Noted with the stem, or by older versions with {@code yes}: its own name. */
  private static final String MADE = "made";

  private final DdlStatement.CreateDatabase create;
  private final DdlSession session;
  private final String name;

  CreateDatabaseSteps(DdlStatement.CreateDatabase create, DdlSession session) {
    this.create = create;
    this.session = session;
    this.name = create.name();
  }

  @Override
  public String kind() {
    return "CREATE_DATABASE";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(Target.of(name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    if (catalog.schema(name).isPresent()) {
      if (create.ifNotExists()) {
        SqlWarning note =
            SqlWarning.note(
                ErrorCode.ER_DB_CREATE_EXISTS.errno(), NameRules.databaseExistsSentence(name));
        return Optional.of(new DdlOutcome(1, "", List.of(note)));
      }
      throw NameRules.databaseExists(name);
    }
    NameRules.newSchema(catalog, name, session);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (!run.has(MADE)) {
      run.dns().forEach(dn -> requireFree(run, dn));
      run.note(MADE, freeStem(run));
    }
    String stem = stem(run);
    Place first = run.firstShadow(name);
    List<SqlWarning> warnings = run.execute(new Place(first.dn(), ""), shadowSql()).warnings();
    List<String> defaults = defaults(run, first.dn(), name);
    Sql clauses =
        Sql.of(" CHARACTER SET ").word(defaults.get(0)).words(" COLLATE ").word(defaults.get(1));
    String copies = Schema.broadcastSchema(stem).name();
    List<Place> places = new ArrayList<>(Place.shadows(name, run.dns()));
    places.addAll(Place.shadows(copies, run.dns()));
    run.atOnce(
        places,
        place -> {
          create(run, place.dn(), place.schema(), clauses);
          if (place.schema().equals(name)) {
            run.executeCopy(place.dn(), ShadowGrants.grant(name, run.shadowAccount()));
          }
        });
    int partitions = create.defaultPartitions().orElseGet(() -> defaultPartitions(run));
    run.finish(
        List.of(
            new CatalogCommand.CreateSchema(
                name, stem, defaults.get(0), defaults.get(1), partitions)));
    return new DdlOutcome(1, "", warnings);
  }

  private Sql shadowSql() {
    Sql sql = Sql.of("CREATE DATABASE IF NOT EXISTS ").name(name);
    return withDefaults(sql, create.charset(), create.collation());
  }

  /** With the defaults that a statement gives. */
  static Sql withDefaults(Sql sql, Optional<String> charset, Optional<String> collation) {
    Sql with = charset.map(each -> sql.words(" CHARACTER SET ").name(each)).orElse(sql);
    return collation.map(each -> with.words(" COLLATE ").name(each)).orElse(with);
  }

  private void requireFree(JobRun run, DnId dn) {
    Sql sql =
        Sql.of("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ")
            .string(name);
    if (!run.query(dn, sql).isEmpty()) {
      throw NameRules.databaseExists(name);
    }
  }

  /** A new one: nothing on any DN begins with it, whoever made it. */
  private static String freeStem(JobRun run) {
    while (true) {
      String stem = Schema.stem(run.gms().reserve("schema", 1).first());
      String begins = stem + "_";
      Sql sql =
          Sql.of("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE LEFT(SCHEMA_NAME, ")
              .number(begins.length())
              .words(") = ")
              .string(begins);
      if (run.dns().stream().allMatch(dn -> run.query(dn, sql).isEmpty())) {
        return stem;
      }
    }
  }

  private String stem(JobRun run) {
    return run.noted(MADE).filter(noted -> !noted.equals("yes")).orElse(name);
  }

  private static void create(JobRun run, DnId dn, String schema, Sql clauses) {
    run.executeCopy(dn, Sql.of("CREATE DATABASE IF NOT EXISTS ").name(schema).add(clauses));
  }

  private static int defaultPartitions(JobRun run) {
    String setting = run.gms().catalog().settings().get(DEFAULT_PARTITIONS);
    return setting == null ? run.dns().size() : Integer.parseInt(setting);
  }

  /** Character set and collation of a schema. */
  static List<String> defaults(JobRun run, DnId dn, String schema) {
    return run.query(
            dn,
            Sql.of(
                    "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM"
                        + " information_schema.SCHEMATA WHERE SCHEMA_NAME = ")
                .string(schema))
        .getFirst();
  }

  @Override
  public void back(JobRun run) {
    if (run.has(MADE)) {
      String stem = stem(run);
      run.at(Place.shadows(name, run.dns()), place -> dropAll(run, place.dn(), name, stem));
    }
  }

  /** Drops a schema's shadow and physical schemas on a DN, with the grant. */
  static void dropAll(JobRun run, DnId dn, String schema, String stem) {
    List<String> found =
        run.query(dn, Sql.of("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA")).stream()
            .map(List::getFirst)
            .filter(name -> name.equals(schema) || Schema.isPhysical(stem, name))
            .toList();
    if (!found.isEmpty()) {
      run.executeCopy(dn, ShadowGrants.revoke(schema, run.shadowAccount()));
    }
    found.forEach(name -> run.executeCopy(dn, Sql.of("DROP DATABASE IF EXISTS ").name(name)));
  }
}
