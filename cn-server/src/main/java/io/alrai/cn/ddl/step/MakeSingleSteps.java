package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.NextIds;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.PlacementRules;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.ddl.job.TableGroups;
import io.alrai.cn.ddl.rule.PhysicalText;
import io.alrai.cn.ddl.rule.TriggerTexts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.Trigger;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * ALTER TABLE t, ... SINGLE:
 *
 * <ol>
 *   <li>every partition gets a hidden name: nobody writes to it any more, nor reads it;
 *   <li>the new tables are made in the one partition, with foreign keys, rows and triggers;
 *   <li>the catalog, where the tables get new ids; from here on the job only goes forward;
 *   <li>the hidden tables are dropped.
 * </ol>
 *
 * The shadows stay as they are. Rolled back by dropping the new tables and giving the old ones
 * their names back. Statements of other sessions that come meanwhile get 1146 from the mysqld, and
 * wait for the end of the job.
 */
public final class MakeSingleSteps implements DdlSteps {
  private static final String GROUP = "group.";
  private static final String TRIGGER = "trigger.";
  private static final Partitioning SINGLE = new Partitioning.Single();

  private final String schema;
  private final List<String> names;
  private final NextIds ids;

  public MakeSingleSteps(DdlStatement.MakeSingle single, DdlSession session, NextIds ids) {
    this.ids = ids;
    this.schema = NameRules.schemaOf(single.names().getFirst(), session);
    this.names = single.names().stream().map(TableName::table).distinct().toList();
    for (TableName name : single.names()) {
      if (!NameRules.schemaOf(name, session).equals(schema)) {
        throw refused("tables of two databases", "use two statements");
      }
    }
  }

  @Override
  public String kind() {
    return "MAKE_SINGLE";
  }

  @Override
  public Set<Target> targets() {
    Set<Target> targets = new HashSet<>();
    names.forEach(name -> targets.add(new Target(schema, name)));
    return targets;
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, schema);
    for (String name : names) {
      if (NameRules.existing(catalog, schema, name).partitioning()
          instanceof Partitioning.Broadcast) {
        throw refused(
            "SINGLE of the BROADCAST table " + name, "create a table and INSERT ... SELECT");
      }
    }
    return partitioned(catalog).isEmpty() ? Optional.of(DdlOutcome.QUIET) : Optional.empty();
  }

  private List<Table> partitioned(Catalog catalog) {
    return names.stream()
        .map(name -> NameRules.existing(catalog, schema, name))
        .filter(table -> !(table.partitioning() instanceof Partitioning.Single))
        .toList();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    if (run.isOnlyForward()) {
      run.awaitCatalog();
    } else {
      List<Table> tables = partitioned(run.gms().catalog());
      requireWholeFamilies(run);
      noteOld(run, tables);
      TableGroup group =
          run.tableGroups().join(schema, Optional.empty(), PlacementRules.SINGLE, SINGLE);
      Place to = Place.ofRows(group, run.dns()).getFirst();
      tables.forEach(table -> hide(run, table));
      List<Table> moved = new ArrayList<>();
      for (Table table : tables) {
        move(run, table, to);
        moved.add(moved(run, table, group));
      }
      putInCatalog(run, moved);
    }
    for (String name : names) {
      run.at(
          oldPlaces(run, name),
          place -> run.executeCopy(place, Sql.of("DROP TABLE IF EXISTS ").name(hidden(run, name))));
    }
    run.finish(List.of());
    return DdlOutcome.QUIET;
  }

  private void requireWholeFamilies(JobRun run) {
    Catalog catalog = run.gms().catalog();
    for (String other : run.ties(schema).family(names)) {
      boolean apart =
          catalog
              .table(schema, other)
              .filter(table -> !(table.partitioning() instanceof Partitioning.Single))
              .isPresent();
      if (apart && !names.contains(other)) {
        throw refused(
            "SINGLE of " + names.getFirst() + " without table " + other,
            "foreign keys tie them together: ALTER TABLE "
                + Sql.EMPTY.names(names)
                + ", "
                + Identifier.quote(other)
                + " SINGLE");
      }
    }
  }

  /** Records where the rows are and what the triggers say, for a CN that takes the job over. */
  private void noteOld(JobRun run, List<Table> tables) {
    Map<String, String> old = new HashMap<>();
    for (Table table : tables) {
      if (run.has(GROUP + table.name())) {
        continue;
      }
      old.put(GROUP + table.name(), String.valueOf(table.tableGroupId()));
      TableGroup group = run.gms().catalog().tableGroup(table);
      Place place = Place.ofRows(group, run.dns()).getFirst();
      for (Trigger trigger : table.triggers()) {
        String text =
            run.query(
                    place.dn(), Sql.of("SHOW CREATE TRIGGER ").name(place.schema(), trigger.name()))
                .getFirst()
                .get(2);
        old.put(TRIGGER + trigger.name(), text);
      }
    }
    if (!old.isEmpty()) {
      run.note(old, List.of());
    }
  }

  private List<Place> oldPlaces(JobRun run, String name) {
    Map<Long, TableGroup> groups =
        NameRules.existingSchema(run.gms().catalog(), schema).tableGroups();
    return run.noted(GROUP + name)
        .map(Long::valueOf)
        .map(groups::get)
        .map(group -> Place.ofRows(group, run.dns()))
        .orElse(List.of());
  }

  private String hidden(JobRun run, String name) {
    return "__alrai_old_" + run.jobId() + "_" + names.indexOf(name);
  }

  private void hide(JobRun run, Table table) {
    String hidden = hidden(run, table.name());
    run.at(
        oldPlaces(run, table.name()),
        place -> {
          if (!run.resumed() || !run.exists(place, hidden)) {
            rename(run, place, table.name(), hidden);
          }
        });
  }

  private static void rename(JobRun run, Place place, String from, String to) {
    run.executeCopy(place, Sql.of("RENAME TABLE ").name(from).words(" TO ").name(to));
  }

  private void move(JobRun run, Table table, Place to) {
    String name = table.name();
    if (run.resumed()) {
      run.dropIfThere(to, name);
    }
    TableDefinition definition = run.read(run.firstShadow(schema), name);
    long number = run.gms().reserve("ddl-job", 1).first();
    PhysicalText.create(definition, name, number).forEach(sql -> run.executeCopy(to, sql));
    MovedRows rows = new MovedRows(run, name, definition);
    String hidden = hidden(run, name);
    oldPlaces(run, name).forEach(from -> rows.copy(from, hidden, to));
    requireAll(run, table, to);
    if (table.autoIncrementColumn().isPresent()) {
      run.executeCopy(
          to,
          Sql.of("ALTER TABLE ").name(name).words(" AUTO_INCREMENT = ").number(next(run, table)));
    }
    for (Trigger trigger : table.triggers()) {
      run.executeCopyAsAdmin(
          to,
          Sql.client(run.noted(TRIGGER + trigger.name()).orElseThrow()),
          TriggerTexts.settingsOf(trigger));
    }
  }

  /** Above all numbers that were given; other CNs may have given any that the GMS has reserved. */
  private long next(JobRun run, Table table) {
    return run.gms().catalog().computeNodes().size() > 1
        ? run.gms().reserve(table.sequence(), 1).first()
        : ids.of(table.sequence());
  }

  /** Nothing is lost on the way. */
  private void requireAll(JobRun run, Table table, Place to) {
    String hidden = hidden(run, table.name());
    long before = 0;
    for (Place from : oldPlaces(run, table.name())) {
      before += count(run, from, hidden);
    }
    long behind = count(run, to, table.name());
    if (before != behind) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL,
          "of " + before + " rows of " + table.name() + " " + behind + " were copied");
    }
  }

  private static long count(JobRun run, Place place, String table) {
    Sql sql = Sql.of("SELECT COUNT(*) FROM ").name(place.schema(), table);
    return Long.parseLong(run.query(place.dn(), sql).getFirst().getFirst());
  }

  private static Table moved(JobRun run, Table table, TableGroup group) {
    return table.withId(run.newTableId()).withPlacement(SINGLE, group.id()).withOwnIds(true);
  }

  private void putInCatalog(JobRun run, List<Table> moved) {
    List<CatalogCommand> changes = new ArrayList<>();
    for (Table table : moved) {
      changes.add(new CatalogCommand.DropTable(schema, table.name()));
      changes.add(new CatalogCommand.PutTable(table));
    }
    run.onlyForward(Map.of(), changes);
  }

  @Override
  public void back(JobRun run) {
    Schema found = NameRules.existingSchema(run.gms().catalog(), schema);
    Optional<TableGroup> group = TableGroups.find(found, Optional.empty(), PlacementRules.SINGLE);
    for (String name : names) {
      List<Place> old = oldPlaces(run, name);
      if (!old.isEmpty() && group.isPresent()) {
        run.dropIfThere(Place.ofRows(group.get(), run.dns()).getFirst(), name);
      }
      String hidden = hidden(run, name);
      run.at(
          old,
          place -> {
            if (run.exists(place, hidden)) {
              rename(run, place, hidden, name);
            }
          });
    }
  }

  private static AlraiException refused(String what, String instead) {
    return AlraiException.unsupported("'" + what + "': " + instead);
  }
}
