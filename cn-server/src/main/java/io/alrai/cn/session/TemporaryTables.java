package io.alrai.cn.session;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The temporary tables of a session by name, and the catalog as it sees it: with them, in place of
 * other tables of their names. Belongs to whoever has the session.
 */
public final class TemporaryTables {
  /** Versions of such catalogs begin at this bit, above all that the GMS counts to. */
  private static final int CHANGES_SHIFT = 40;

  private final Map<String, Map<String, Table>> schemas = new HashMap<>();
  private long made;
  private long changes;
  private boolean madeInside;
  private boolean droppedInside;
  private @Nullable Catalog under;
  private @Nullable Catalog over;

  /** Whether there is none. */
  public boolean none() {
    return schemas.isEmpty();
  }

  /** The table of that exact name. */
  public Optional<Table> table(String schema, String name) {
    return Optional.ofNullable(schemas.getOrDefault(schema, Map.of()).get(name));
  }

  /** An id for another one; the session's own. */
  public long nextId() {
    made++;
    return -made;
  }

  /** One was made, or dropped, inside the session's transaction. */
  public void changedInside(boolean made) {
    madeInside |= made;
    droppedInside |= !made;
  }

  /** The transaction ends: what a ROLLBACK says of tables that were made or dropped in it. */
  public List<Condition> endInside() {
    List<Condition> told = new ArrayList<>();
    if (madeInside) {
      told.add(
          new Condition(
              "Warning", 1751, "The creation of some temporary tables could not be rolled back."));
    }
    if (droppedInside) {
      told.add(
          new Condition(
              "Warning",
              1752,
              "Some temporary tables were dropped, but these operations could not be rolled"
                  + " back."));
    }
    madeInside = false;
    droppedInside = false;
    return told;
  }

  /** Adds one, or replaces the one of its name. */
  public void put(Table table) {
    schemas.computeIfAbsent(table.schema(), schema -> new HashMap<>()).put(table.name(), table);
    changed();
  }

  /** Takes one away. */
  public void remove(Table table) {
    Map<String, Table> tables = schemas.getOrDefault(table.schema(), Map.of());
    tables.remove(table.name());
    if (tables.isEmpty()) {
      schemas.remove(table.schema());
    }
    changed();
  }

  /** Takes all away. */
  public void clear() {
    schemas.clear();
    endInside();
    changed();
  }

  private void changed() {
    changes++;
    under = null;
    over = null;
  }

  /**
   * A catalog with the session's tables, which hide views, too; the same one while neither changes.
   * Its version is that of no other.
   */
  public Catalog over(Catalog catalog) {
    if (schemas.isEmpty()) {
      return catalog;
    }
    Catalog known = over;
    if (known == null || under != catalog) {
      known = made(catalog);
      under = catalog;
      over = known;
    }
    return known;
  }

  /** A catalog with the session's tables, but for the one that hides a table. */
  public Catalog besides(Catalog catalog, Table hidden) {
    TemporaryTables others = new TemporaryTables();
    schemas.values().stream()
        .flatMap(tables -> tables.values().stream())
        .filter(one -> !one.schema().equals(hidden.schema()) || !one.name().equals(hidden.name()))
        .forEach(others::put);
    return others.over(catalog);
  }

  private Catalog made(Catalog catalog) {
    Map<String, Schema> all = new HashMap<>(catalog.schemas());
    schemas.forEach(
        (name, tables) -> all.computeIfPresent(name, (same, schema) -> with(schema, tables)));
    return new Catalog(
        catalog.version() | changes << CHANGES_SHIFT,
        all,
        catalog.dataNodes(),
        catalog.computeNodes(),
        catalog.accounts(),
        catalog.settings(),
        catalog.jobs(),
        catalog.locks(),
        catalog.columnNodes(),
        catalog.linkedNodes());
  }

  private static Schema with(Schema schema, Map<String, Table> temporary) {
    Map<String, Table> tables = new HashMap<>(schema.tables());
    tables.putAll(temporary);
    Map<Long, TableGroup> groups = new HashMap<>(schema.tableGroups());
    groups.put(
        Table.TEMPORARY_GROUP,
        new TableGroup(
            Table.TEMPORARY_GROUP,
            "temporary",
            "temporary",
            List.of(new PartitionGroup(0, new PhysicalSchema(schema.name()), DnId.OF_SESSION))));
    Map<String, View> views = new HashMap<>(schema.views());
    views.keySet().removeAll(temporary.keySet());
    return schema.withTables(tables, groups).withViews(views);
  }
}
