package io.alrai.optimizer.route;

import io.alrai.common.id.PhysicalSchema;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.shardsql.TableNaming;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which places a statement's tables lead to.
 *
 * @param targets the places; All of nothing when no place has all tables
 * @param naming how the text of one place names tables
 * @param severalPlaces whether more than one place may remain at execution
 * @param scattered why no place has all tables; empty when each has
 * @param reason one line
 */
public record TargetChoice(
    Targets targets,
    TableNaming naming,
    boolean severalPlaces,
    Optional<String> scattered,
    String reason) {

  public static TargetChoice of(Analysis analysis, Planning planning) {
    if (!planning.interpreted().isEmpty()) {
      return scattered(planning.catalog(), planning.interpreted().reason());
    }
    Placements placements = new Placements(planning.catalog());
    Set<Table> fixed = new LinkedHashSet<>();
    Set<Table> parted = new LinkedHashSet<>();
    Set<Table> broadcast = new LinkedHashSet<>();
    for (Relation.Base base : analysis.tables()) {
      Table table = base.table();
      Set<Table> kind =
          Placements.isBroadcast(table) ? broadcast : placements.atOnePlace(table) ? fixed : parted;
      kind.add(table);
    }
    if (!parted.isEmpty()) {
      return parted(analysis, placements, parted, fixed);
    }
    Optional<Table> temporary = fixed.stream().filter(Table::temporary).findFirst();
    if (temporary.isPresent() && !broadcast.isEmpty()) {
      String other = broadcast.iterator().next().name();
      return scattered(
          planning.catalog(),
          temporary.get().name() + " is the session's own, " + other + " is not");
    }
    if (!fixed.isEmpty()) {
      return fixed(placements, List.copyOf(fixed));
    }
    String schema = planning.context().currentSchema();
    boolean current =
        !broadcast.isEmpty() && broadcast.stream().allMatch(table -> table.schema().equals(schema));
    PhysicalSchema physical =
        planning.catalog().schema(schema).map(Schema::broadcastSchema).orElse(PhysicalSchema.NONE);
    return new TargetChoice(
        new Targets.AnyDn(physical, !broadcast.isEmpty()),
        current
            ? TableNaming.underBroadcast(planning.catalog())
            : TableNaming.underPlace(planning.catalog()),
        false,
        Optional.empty(),
        broadcast.isEmpty() ? "no table" : "broadcast tables only");
  }

  private static TargetChoice fixed(Placements placements, List<Table> tables) {
    ShardPlace first = placements.places(tables.getFirst()).getFirst();
    for (Table table : tables) {
      if (!placements.places(table).getFirst().dn().equals(first.dn())) {
        return scattered(
            placements.catalog(),
            tables.getFirst().name() + " and " + table.name() + " are on different DNs");
      }
    }
    TableNaming naming = new OnePlaceNaming(placements, first);
    String reason = "all of " + first.physicalSchema() + " on " + first.dn().name();
    return new TargetChoice(new Targets.One(first), naming, false, Optional.empty(), reason);
  }

  private static TargetChoice parted(
      Analysis analysis, Placements placements, Set<Table> parted, Set<Table> fixed) {
    Table first = parted.iterator().next();
    if (!fixed.isEmpty()) {
      return scattered(
          placements.catalog(),
          fixed.iterator().next().name() + " is at one place, " + first.name() + " is not");
    }
    for (Table table : parted) {
      if (table.tableGroupId() != first.tableGroupId()) {
        return scattered(
            placements.catalog(),
            first.name() + " and " + table.name() + " are in different table groups");
      }
    }
    List<ShardPlace> places = placements.places(first);
    Optional<List<List<Integer>>> tuples = analysis.tuples();
    if (tuples.isPresent()) {
      Targets keys = new Targets.Keys(Placements.function(first), places, tuples.get());
      String reason = "by " + new ArrayList<>(Placements.keyColumns(first));
      return new TargetChoice(
          keys, TableNaming.underPlace(placements.catalog()), true, Optional.empty(), reason);
    }
    return new TargetChoice(
        new Targets.All(places),
        TableNaming.underPlace(placements.catalog()),
        true,
        Optional.empty(),
        "no condition on the whole partition key of every table");
  }

  private static TargetChoice scattered(Catalog catalog, String reason) {
    return new TargetChoice(
        new Targets.All(List.of()),
        TableNaming.underPlace(catalog),
        true,
        Optional.of(reason),
        reason);
  }
}
