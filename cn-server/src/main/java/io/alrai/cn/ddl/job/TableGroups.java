package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.api.TableGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds the table group of a new table, or makes one: each DN gets as many partitions as the
 * others, and those that remain, or the only one, go to the DNs that have least. The physical
 * schemas of every group in the catalog exist; groups stay when their last table goes, and go with
 * their schema.
 */
public final class TableGroups {
  private final GmsService gms;
  private final DdlShards shards;
  private final ParallelSteps parallel;

  TableGroups(GmsService gms, DdlShards shards, ParallelSteps parallel) {
    this.gms = gms;
    this.shards = shards;
    this.parallel = parallel;
  }

  /**
   * The group for a table of that signature.
   *
   * @param name the TABLEGROUP clause
   */
  public TableGroup join(
      String schemaName, Optional<String> name, String signature, Partitioning partitioning) {
    while (true) {
      Schema schema = schema(gms.catalog(), schemaName);
      Optional<TableGroup> found = find(schema, name, signature);
      if (found.isPresent()) {
        return found.get();
      }
      TableGroup made = make(schema, name.orElse("auto: " + signature), signature, partitioning);
      createSchemas(schema, made);
      try {
        Catalog after = gms.submit(new CatalogCommand.PutTableGroup(schemaName, made));
        return Objects.requireNonNull(schema(after, schemaName).tableGroups().get(made.id()));
      } catch (AlraiException e) {
        dropSchemas(partitioning, made);
        if (!e.is(ErrorCode.ALRAI_CATALOG_CONFLICT)
            || find(schema(gms.catalog(), schemaName), name, signature).isEmpty()) {
          throw e;
        }
        // another CN was faster: its group is as good
      }
    }
  }

  /** The group of that name, or the first one with that signature. */
  public static Optional<TableGroup> find(Schema schema, Optional<String> name, String signature) {
    if (name.isEmpty()) {
      return schema.tableGroups().values().stream()
          .filter(group -> group.signature().equals(signature))
          .min(Comparator.comparingLong(TableGroup::id));
    }
    Optional<TableGroup> named =
        schema.tableGroups().values().stream()
            .filter(group -> group.name().equals(name.get()))
            .findFirst();
    named
        .filter(group -> !group.signature().equals(signature))
        .ifPresent(group -> {
          throw AlraiException.unsupported(
              "'TABLEGROUP="
                  + group.name()
                  + "' for this table: its tables are placed by "
                  + group.signature()
                  + ", this one by "
                  + signature);
        });
    return named;
  }

  private TableGroup make(Schema schema, String name, String signature, Partitioning partitioning) {
    long id = gms.reserve("table-group", 1).first();
    List<DnId> dns = shards.dns();
    if (partitioning instanceof Partitioning.Broadcast) {
      PartitionGroup copies = new PartitionGroup(0, schema.broadcastSchema(), dns.getFirst());
      return new TableGroup(id, name, signature, List.of(copies));
    }
    int count = partitioning.count();
    SequenceRange numbers = gms.reserve("partition-group:" + schema.stem(), count);
    DnLoads loads = DnLoads.of(gms.catalog(), dns);
    int inTurn = count - count % dns.size();
    List<PartitionGroup> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long number = numbers.first() + i;
      DnId dn = i < inTurn ? dns.get((int) ((number - 1) % dns.size())) : loads.takeLeast();
      places.add(new PartitionGroup(i, schema.physicalSchema(number), dn));
    }
    return new TableGroup(id, name, signature, places);
  }

  private void createSchemas(Schema schema, TableGroup group) {
    parallel.at(
        Place.ofRows(group, shards.dns()),
        place ->
            shards.execute(
                place.dn(),
                "",
                SqlText.COPY_SETTINGS,
                Sql.of("CREATE DATABASE IF NOT EXISTS ")
                    .name(place.schema())
                    .words(" CHARACTER SET ")
                    .word(schema.charset())
                    .words(" COLLATE ")
                    .word(schema.collation())));
  }

  private void dropSchemas(Partitioning partitioning, TableGroup group) {
    if (partitioning instanceof Partitioning.Broadcast) {
      return;
    }
    parallel.at(
        Place.ofRows(group, shards.dns()),
        place ->
            shards.execute(
                place.dn(),
                "",
                SqlText.COPY_SETTINGS,
                Sql.of("DROP DATABASE IF EXISTS ").name(place.schema())));
  }

  private static Schema schema(Catalog catalog, String name) {
    return catalog.schema(name).orElseThrow(() -> NameRules.unknownDatabase(name));
  }
}
