package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.BeforeJob;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.ShadowGrants;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * CREATE DATABASE: all shadow schemas, whose clauses the first DN checks, with the shadow account's
 * grant and the schema of broadcast tables; the catalog last. That no DN has such a schema is seen
 * before the job is written: what is there later is the job's.
 */
final class CreateDatabaseSteps implements DdlSteps {
  /** Name of the cluster setting for databases that do not say how many partitions. */
  static final String DEFAULT_PARTITIONS = "default_partitions";

  /** Noted with the stem, or by older versions with {@code yes}: its own name. */
  private static final String MADE = "made";

  /** Under no schema. */
  private static final String GRANT = "";

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
  public Map<String, String> firstNotes(Catalog catalog, BeforeJob before) {
    return Map.of(MADE, freeStem(before));
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (run.resumed() && isTaken(run)) {
      throw NameRules.databaseExists(name);
    }
    if (!run.has(MADE)) {
      run.note(MADE, freeStem(run.before())); // a job of an older version
    }
    String stem = stem(run);
    String copies = Schema.broadcastSchema(stem).name();
    Place first = run.firstShadow(name);
    List<Place> places = new ArrayList<>(Place.shadows(name, run.dns()));
    places.addAll(Place.shadows(copies, run.dns()));
    List<SqlWarning> warnings = create(run, first, places);
    List<String> defaults = defaults(run, first, places);
    int partitions = create.defaultPartitions().orElseGet(() -> defaultPartitions(run));
    run.finish(
        List.of(
            new CatalogCommand.CreateSchema(
                name, stem, defaults.get(0), defaults.get(1), partitions)));
    return new DdlOutcome(1, "", warnings);
  }

  /** Another job's has come before this one began; its own comes with its end. */
  private boolean isTaken(JobRun run) {
    return run.gms().catalog().schema(name).isPresent();
  }

  /**
   * Makes the schemas by the client's clauses; returns what the first shadow's mysqld says, which
   * decides: it may find that there can be no such name.
   */
  private List<SqlWarning> create(JobRun run, Place first, List<Place> places) {
    List<SqlWarning> warnings = create(run, first);
    List<Place> others = new ArrayList<>(places);
    others.remove(first);
    others.addAll(Place.shadows(GRANT, run.dns()));
    run.atOnce(
        others,
        place -> {
          if (place.schema().equals(GRANT)) {
            run.executeCopy(place.dn(), ShadowGrants.grant(name, run.shadowAccount()));
          } else {
            create(run, place);
          }
        });
    return warnings;
  }

  private List<SqlWarning> create(JobRun run, Place place) {
    Sql sql = Sql.of("CREATE DATABASE IF NOT EXISTS ").name(place.schema());
    Sql whole = withDefaults(sql, create.charset(), create.collation());
    return run.execute(new Place(place.dn(), ""), whole).warnings();
  }

  /** The first shadow's, which all others get, whatever their mysqlds are set to. */
  private static List<String> defaults(JobRun run, Place first, List<Place> places) {
    Map<Place, List<String>> found = new ConcurrentHashMap<>();
    run.atOnce(places, place -> found.put(place, defaults(run, place.dn(), place.schema())));
    List<String> defaults = Objects.requireNonNull(found.get(first));
    found.values().removeIf(defaults::equals);
    run.atOnce(
        List.copyOf(found.keySet()),
        place ->
            run.executeCopy(
                place.dn(),
                Sql.of("ALTER DATABASE ")
                    .name(place.schema())
                    .words(" CHARACTER SET ")
                    .word(defaults.get(0))
                    .words(" COLLATE ")
                    .word(defaults.get(1))));
    return defaults;
  }

  /** With the defaults that a statement gives. */
  static Sql withDefaults(Sql sql, Optional<String> charset, Optional<String> collation) {
    Sql with = charset.map(each -> sql.words(" CHARACTER SET ").name(each)).orElse(sql);
    return collation.map(each -> with.words(" COLLATE ").name(each)).orElse(with);
  }

  /**
   * A new one: nothing on any DN begins with it, whoever made it.
   *
   * @throws AlraiException where a DN has the database itself
   */
  private String freeStem(BeforeJob before) {
    while (true) {
      String stem = Schema.stem(before.numbers().next("schema"));
      String begins = stem + "_";
      Sql sql =
          Sql.of("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ")
              .string(name)
              .words(" OR LEFT(SCHEMA_NAME, ")
              .number(begins.length())
              .words(") = ")
              .string(begins);
      List<List<String>> found = before.queryAll(sql);
      if (found.stream().anyMatch(row -> !row.getFirst().startsWith(begins))) {
        throw NameRules.databaseExists(name);
      }
      if (found.isEmpty()) {
        return stem;
      }
    }
  }

  private String stem(JobRun run) {
    return run.noted(MADE).filter(noted -> !noted.equals("yes")).orElse(name);
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
    if (run.has(MADE) && !isTaken(run)) {
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
