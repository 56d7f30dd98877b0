package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.DnMembers;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One job at work on this CN: its progress, and the places its steps work at. Used by one thread;
 * steps that run in parallel only use {@link #execute} and {@link #query}, and one of them may
 * {@link #note}.
 */
public final class JobRun {
  private static final String ONLY_FORWARD = DdlJob.ONLY_FORWARD;

  private final GmsService gms;
  private final DdlNumbers numbers;
  private final DdlShards shards;
  private final JobAtWork work;
  private final ParallelSteps parallel;
  private final NodeId self;
  private final DdlSession session;
  private final DdlLocks locks = new DdlLocks();
  private final long id;
  private final Try by;
  private final TreeMap<String, String> progress;
  private DdlJob.State state;

  /** Whether a note may be written that this run has not: its answer was lost. */
  private boolean unsure;

  private String error;

  /** What steps back leave, shown after the reason of the job's end; mostly empty. */
  private String left = "";

  /** Who runs a job. */
  public enum Try {
    /** Its statement. */
    FIRST,
    /** Its statement again, after the loss of a DN. */
    AGAIN,
    /** The recovery: there is no client any more. */
    RECOVERY
  }

  public JobRun(
      GmsService gms,
      DdlNumbers numbers,
      DdlShards shards,
      ParallelSteps parallel,
      NodeId self,
      DdlSession session,
      DdlJob job,
      JobAtWork work,
      Try by) {
    this.gms = gms;
    this.numbers = numbers;
    this.work = work;
    this.shards = new WatchedShards(shards, work);
    this.parallel = parallel;
    this.self = self;
    this.session = session;
    this.id = job.id();
    this.by = by;
    this.progress = new TreeMap<>(job.progress());
    progress.keySet().removeIf(key -> key.startsWith(DdlJob.SHOWN));
    this.state = job.state();
    this.error = job.error();
  }

  public GmsService gms() {
    return gms;
  }

  /** What was there before the job. */
  public BeforeJob before() {
    return new BeforeJob(numbers, shards, parallel);
  }

  /** For a table that is made. */
  public long newTableId() {
    return numbers.next("table");
  }

  public DdlSession session() {
    return session;
  }

  public TableGroups tableGroups() {
    return new TableGroups(gms, shards, parallel);
  }

  /** Whether steps may have been done by an earlier run of the job. */
  public boolean resumed() {
    return by != Try.FIRST;
  }

  /** Whether its statement has a client that waits for its end. */
  public boolean hasClient() {
    return by != Try.RECOVERY;
  }

  public long jobId() {
    return id;
  }

  public Optional<String> noted(String key) {
    return Optional.ofNullable(progress.get(key));
  }

  public boolean has(String key) {
    return progress.containsKey(key);
  }

  /** Writes to the GMS what a later run must know. */
  public void note(String key, String value) {
    note(Map.of(key, value), List.of());
  }

  /** Writes progress and changes the catalog, both or none. */
  public Catalog note(Map<String, String> entries, List<CatalogCommand> changes) {
    TreeMap<String, String> next = new TreeMap<>(progress);
    next.putAll(entries);
    List<CatalogCommand> batch = new ArrayList<>(changes);
    batch.add(new CatalogCommand.UpdateJob(id, self, state, next, error));
    unsure = true;
    Catalog after = gms.submit(new CatalogCommand.Batch(batch));
    unsure = false;
    progress.putAll(entries);
    return after;
  }

  /**
   * Takes progress and state from the GMS where an answer of it was lost: what was noted then may
   * be written, and the job only go forward.
   *
   * @throws AlraiException it has ended, another CN has taken it over, the GMS does not answer
   */
  public void resync() {
    if (unsure) {
      DdlJob job = own(gms.submit(new CatalogCommand.ShowStep(id, self, Map.of())));
      progress.clear();
      progress.putAll(job.progress());
      progress.keySet().removeIf(key -> key.startsWith(DdlJob.SHOWN));
      state = job.state();
      unsure = false;
    }
  }

  private DdlJob own(Catalog now) {
    return Optional.ofNullable(now.jobs().get(id))
        .filter(job -> job.owner().equals(self) && job.open())
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ALRAI_CATALOG_CONFLICT, "DDL job " + id + " has ended, or another CN's"));
  }

  /** From here on the job is never rolled back: what fails is tried again until it works. */
  public void onlyForward() {
    if (!isOnlyForward()) {
      note(ONLY_FORWARD, "yes");
    }
  }

  /**
   * Makes the job go only forward, together with progress and catalog changes that every CN has to
   * see before this returns.
   */
  public void onlyForward(Map<String, String> entries, List<CatalogCommand> changes) {
    TreeMap<String, String> all = new TreeMap<>(entries);
    all.put(ONLY_FORWARD, "yes");
    awaitEverywhere(note(all, changes));
  }

  /** Waits until every CN works with the catalog as it is now. */
  public void awaitCatalog() {
    awaitEverywhere(gms.catalog());
  }

  private void awaitEverywhere(Catalog catalog) {
    try (JobStep _ = work.begin("all CNs", "version " + catalog.version() + " of the catalog")) {
      gms.awaitCatalogAtOthers(catalog.version(), self);
    }
  }

  /** Does what waits for somebody who is no mysqld. */
  public void waiting(String where, String what, Runnable wait) {
    try (JobStep _ = work.begin(where, what)) {
      wait.run();
    }
  }

  /** Does what waits for somebody who is no mysqld, and says meanwhile how far that is. */
  public void waiting(String where, String what, Consumer<JobStep> wait) {
    try (JobStep step = work.begin(where, what)) {
      wait.accept(step);
    }
  }

  /** The members of each DN. */
  public Map<DnId, DnMembers> members() {
    return shards.members();
  }

  public JobAtWork work() {
    return work;
  }

  public boolean isOnlyForward() {
    return has(ONLY_FORWARD);
  }

  /** Ends the job together with its last catalog changes, and waits until every CN sees them. */
  public void finish(List<CatalogCommand> changes) {
    List<CatalogCommand> batch = new ArrayList<>(changes);
    batch.add(new CatalogCommand.UpdateJob(id, self, DdlJob.State.DONE, Map.of(), ""));
    Catalog after = gms.submit(new CatalogCommand.Batch(batch));
    state = DdlJob.State.DONE;
    if (!changes.isEmpty()) {
      awaitEverywhere(after);
    }
  }

  /**
   * It failed, and will be tried again: SHOW DDL tells why.
   *
   * @return whether it has not failed so before
   */
  public boolean failed(String reason) {
    if (reason.equals(error)) {
      return false;
    }
    gms.submit(new CatalogCommand.UpdateJob(id, self, state, progress, reason));
    error = reason;
    return true;
  }

  /**
   * It is tried again now.
   *
   * @return as the GMS has it
   * @throws AlraiException another CN has taken it over, it is cancelled, the GMS does not answer
   */
  public DdlJob again() {
    DdlJob job = own(gms.submit(new CatalogCommand.UpdateJob(id, self, state, progress, "")));
    error = "";
    return job;
  }

  /** Steps back end without having undone all: the job's end tells what stays, in a sentence. */
  public void leaves(String what) {
    left = "; " + what;
  }

  /** Goes to another state with the reason. */
  public void transition(DdlJob.State next, String reason) {
    error = reason + left;
    Map<String, String> kept = next == DdlJob.State.FAILED ? Map.of() : progress;
    gms.submit(new CatalogCommand.UpdateJob(id, self, next, kept, error));
    state = next;
    if (next == DdlJob.State.FAILED) {
      work.failed();
    }
  }

  public DdlJob.State state() {
    return state;
  }

  public List<DnId> dns() {
    return shards.dns();
  }

  /** The shadow that checks statements before anything else is changed. */
  public Place firstShadow(String schema) {
    return new Place(shards.dns().getFirst(), schema);
  }

  /** The other shadows. */
  public List<Place> otherShadows(String schema) {
    List<DnId> dns = shards.dns();
    return Place.shadows(schema, dns.subList(1, dns.size()));
  }

  /** Runs a step at every place, the DNs in parallel. */
  public void at(List<Place> places, Consumer<Place> step) {
    parallel.at(places, step);
  }

  /** Runs a step at all places, several of a DN at once: for steps that copy no rows. */
  public void atOnce(List<Place> places, Consumer<Place> step) {
    parallel.atOnce(places, step);
  }

  /** Does several things at the same time; of their errors the first one's is thrown. */
  public void together(Runnable... steps) {
    parallel.together(List.of(steps));
  }

  /** Runs a step at places and, at the same time, another one at others. */
  public void beside(
      List<Place> places, Consumer<Place> step, List<Place> others, Consumer<Place> beside) {
    parallel.beside(places, step, others, beside);
  }

  /** Runs the client's text with the client's settings. */
  public DdlShards.Executed execute(Place place, Sql sql) {
    return locks.locking(
        session.settings(), settings -> shards.execute(place.dn(), place.schema(), settings, sql));
  }

  /** Runs a text that makes a trigger or a routine, with the client's settings. */
  public List<SqlWarning> executeAsAdmin(Place place, Sql sql) {
    return locks.locking(
        session.settings(),
        settings -> shards.executeAsAdmin(place.dn(), place.schema(), settings, sql));
  }

  /** Whether there is a table of that name. */
  public boolean exists(Place place, String table) {
    return !shards
        .query(
            place.dn(),
            Sql.of("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ")
                .string(place.schema())
                .words(" AND TABLE_NAME = ")
                .string(table))
        .isEmpty();
  }

  /** Drops a table that may be there; also fine with names that no table can have. */
  public void dropIfThere(Place place, String table) {
    if (exists(place, table)) {
      executeCopy(place, Sql.of("DROP TABLE IF EXISTS ").name(table));
    }
  }

  /**
   * Waits until no session has a table locked by LOCK TABLES, which locks all shadows for reads.
   *
   * @param shadow may be without the table
   * @throws AlraiException 1205 when {@code lock_wait_timeout} has passed
   */
  public void awaitUnlocked(Place shadow, String table) {
    Map<String, String> bound = new TreeMap<>(session.settings());
    bound.keySet().retainAll(Set.of(DdlLocks.TIMEOUT));
    Sql sql =
        Sql.of("SELECT 1 FROM ").name(shadow.schema(), table).words(" WHERE FALSE FOR UPDATE");
    try {
      locks.locking(
          bound,
          settings -> {
            shards.read(shadow.dn(), settings, sql, row -> {});
            return true;
          });
    } catch (AlraiException e) {
      if (!e.is(ErrorCode.ER_NO_SUCH_TABLE)) {
        throw e;
      }
    }
  }

  /** Runs a text of Alrai's own. */
  public void executeCopy(Place place, Sql sql) {
    executeCopy(place, sql, Map.of());
  }

  /** Runs a copy of the statement with more settings. */
  public void executeCopy(Place place, Sql sql, Map<String, String> settings) {
    locks.locking(
        withCopySettings(settings), all -> shards.execute(place.dn(), place.schema(), all, sql));
  }

  /** Runs a copy of a statement that makes a trigger or a routine. */
  public void executeCopyAsAdmin(Place place, Sql sql, Map<String, String> settings) {
    locks.locking(
        withCopySettings(settings),
        all -> shards.executeAsAdmin(place.dn(), place.schema(), all, sql));
  }

  private static Map<String, String> withCopySettings(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(SqlText.COPY_SETTINGS);
    all.putAll(settings);
    return all;
  }

  /** Runs a text of Alrai's own under no schema. */
  public void executeCopy(DnId dn, Sql sql) {
    locks.locking(SqlText.COPY_SETTINGS, all -> shards.execute(dn, "", all, sql));
  }

  /** Under the given schema. */
  public List<List<String>> query(Place place, Sql sql) {
    return shards.query(place.dn(), place.schema(), sql);
  }

  public List<List<String>> query(DnId dn, Sql sql) {
    return shards.query(dn, sql);
  }

  public TableDefinition read(Place place, String table) {
    return TableDefinition.read(shards, parallel, place, table);
  }

  /** SHOW CREATE TABLE. */
  public String readText(Place place, String table) {
    return TableDefinition.readText(shards, place, table);
  }

  /** The value of each row of a query of one column, as it comes. */
  public void read(DnId dn, Map<String, String> settings, Sql sql, Consumer<String> row) {
    shards.read(dn, withCopySettings(settings), sql, row);
  }

  /** What foreign keys tie together in a schema. */
  public ForeignKeyTies ties(String schema) {
    return ForeignKeyTies.read(shards, schema);
  }

  public String shadowAccount() {
    return shards.shadowAccount();
  }
}
