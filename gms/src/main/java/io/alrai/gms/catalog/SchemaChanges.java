package io.alrai.gms.catalog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.View;
import io.alrai.gms.api.node.DataNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What commands do to the map of schemas. Pure: each gives the map after the change, the same map
 * when nothing changes, or refuses.
 */
final class SchemaChanges {
  private SchemaChanges() {}

  static Map<String, Schema> create(
      Map<String, Schema> schemas, CatalogCommand.CreateSchema create) {
    if (schemas.containsKey(create.name())) {
      throw new AlraiException(
          ErrorCode.ER_DB_CREATE_EXISTS,
          "Can't create database '" + create.name() + "'; database exists");
    }
    if (schemas.values().stream().anyMatch(other -> other.stem().equals(create.stem()))) {
      throw conflict("physical schemas of the stem " + create.stem() + " belong to another schema");
    }
    return CatalogDraft.put(
        schemas,
        create.name(),
        new Schema(
            create.name(),
            create.stem(),
            create.charset(),
            create.collation(),
            create.defaultPartitions(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of()));
  }

  static Map<String, Schema> put(Map<String, Schema> schemas, CatalogCommand.PutSchema put) {
    Schema old = schemas.get(put.name());
    return CatalogDraft.put(
        schemas,
        put.name(),
        new Schema(
            put.name(),
            old == null ? put.name() : old.stem(),
            put.charset(),
            put.collation(),
            put.defaultPartitions(),
            old == null ? Map.of() : old.tables(),
            old == null ? Map.of() : old.tableGroups(),
            old == null ? Map.of() : old.views(),
            old == null ? Map.of() : old.procedures(),
            old == null ? Map.of() : old.functions()));
  }

  static Map<String, Schema> putTableGroup(
      Map<String, Schema> schemas, List<DataNode> dataNodes, CatalogCommand.PutTableGroup put) {
    Schema schema = existingSchema(schemas, put.schema());
    TableGroup group = put.group();
    if (group.equals(schema.tableGroups().get(group.id()))) {
      return schemas;
    }
    checkPlaces(group, dataNodes);
    Set<PhysicalSchema> wanted = new HashSet<>();
    for (PartitionGroup partition : group.partitionGroups()) {
      if (!wanted.add(partition.physicalSchema())) {
        throw conflict("physical schema " + partition.physicalSchema() + " is named twice");
      }
    }
    for (Schema other : schemas.values()) {
      for (TableGroup taken : other.tableGroups().values()) {
        checkApart(taken, group, wanted, other.name().equals(schema.name()));
      }
    }
    return CatalogDraft.put(
        schemas,
        schema.name(),
        withGroups(schema, CatalogDraft.put(schema.tableGroups(), group.id(), group)));
  }

  private static void checkPlaces(TableGroup group, List<DataNode> dataNodes) {
    if (group.partitionGroups().isEmpty()) {
      throw conflict("table group " + group.name() + " has no partition group");
    }
    for (int i = 0; i < group.partitionGroups().size(); i++) {
      PartitionGroup partition = group.partitionGroups().get(i);
      if (partition.index() != i) {
        throw conflict("table group " + group.name() + ": partition group " + i + " is missing");
      }
      if (dataNodes.stream().noneMatch(node -> node.id().equals(partition.dn()))) {
        throw conflict("table group " + group.name() + ": there is no DN " + partition.dn());
      }
    }
  }

  private static void checkApart(
      TableGroup taken, TableGroup group, Set<PhysicalSchema> wanted, boolean sameSchema) {
    if (taken.id() == group.id()) {
      throw conflict("table group " + group.id() + " exists already");
    }
    if (sameSchema && taken.name().equals(group.name())) {
      throw conflict("table group " + group.name() + " exists already");
    }
    for (PartitionGroup partition : taken.partitionGroups()) {
      if (wanted.contains(partition.physicalSchema())) {
        throw conflict(
            "physical schema "
                + partition.physicalSchema()
                + " belongs to table group "
                + taken.name());
      }
    }
  }

  static Map<String, Schema> dropTableGroup(
      Map<String, Schema> schemas, CatalogCommand.DropTableGroup drop) {
    Schema schema = existingSchema(schemas, drop.schema());
    if (!schema.tableGroups().containsKey(drop.groupId())) {
      return schemas;
    }
    for (Table table : schema.tables().values()) {
      if (table.tableGroupId() == drop.groupId()) {
        throw conflict("table group " + drop.groupId() + " holds table " + table.name());
      }
    }
    return CatalogDraft.put(
        schemas,
        schema.name(),
        withGroups(schema, CatalogDraft.without(schema.tableGroups(), drop.groupId())));
  }

  static Map<String, Schema> putTable(Map<String, Schema> schemas, Table table) {
    Schema target = existingSchema(schemas, table.schema());
    Table named = target.tables().get(table.name());
    if (table.equals(named)) {
      return schemas;
    }
    if ((named != null && named.id() != table.id()) || target.views().containsKey(table.name())) {
      throw exists(table.name());
    }
    TableGroup group = target.tableGroups().get(table.tableGroupId());
    if (group == null) {
      throw conflict(
          "table group " + table.tableGroupId() + " of schema " + table.schema() + " is gone");
    }
    if (group.partitionGroups().size() != table.partitioning().count()) {
      throw conflict(
          "table "
              + table.name()
              + " has "
              + table.partitioning().count()
              + " partitions, its table group "
              + group.partitionGroups().size());
    }
    Map<String, Schema> next = removeId(schemas, table.id());
    Schema schema = existingSchema(next, table.schema());
    return CatalogDraft.put(
        next,
        schema.name(),
        withTables(schema, CatalogDraft.put(schema.tables(), table.name(), table)));
  }

  private static Map<String, Schema> removeId(Map<String, Schema> schemas, long id) {
    for (Schema schema : schemas.values()) {
      for (Table table : schema.tables().values()) {
        if (table.id() == id) {
          return CatalogDraft.put(
              schemas,
              schema.name(),
              withTables(schema, CatalogDraft.without(schema.tables(), table.name())));
        }
      }
    }
    return schemas;
  }

  static Map<String, Schema> dropTable(Map<String, Schema> schemas, CatalogCommand.DropTable drop) {
    Table table = existingTable(schemas, drop);
    Schema schema = existingSchema(schemas, drop.schema());
    return CatalogDraft.put(
        schemas,
        schema.name(),
        withTables(schema, CatalogDraft.without(schema.tables(), table.name())));
  }

  static Map<String, Schema> putView(Map<String, Schema> schemas, View view) {
    Schema schema = existingSchema(schemas, view.schema());
    if (schema.tables().containsKey(view.name())) {
      throw exists(view.name());
    }
    return CatalogDraft.put(
        schemas,
        schema.name(),
        schema.withViews(CatalogDraft.put(schema.views(), view.name(), view)));
  }

  static Map<String, Schema> dropView(Map<String, Schema> schemas, CatalogCommand.DropView drop) {
    Schema schema = existingSchema(schemas, drop.schema());
    if (!schema.views().containsKey(drop.name())) {
      throw unknown(drop.schema(), drop.name());
    }
    return CatalogDraft.put(
        schemas,
        schema.name(),
        schema.withViews(CatalogDraft.without(schema.views(), drop.name())));
  }

  static Map<String, Schema> putProcedure(Map<String, Schema> schemas, Procedure procedure) {
    Schema schema = existingSchema(schemas, procedure.schema());
    return CatalogDraft.put(
        schemas,
        schema.name(),
        schema.withProcedures(CatalogDraft.put(schema.procedures(), procedure.key(), procedure)));
  }

  static Map<String, Schema> dropProcedure(
      Map<String, Schema> schemas, CatalogCommand.DropProcedure drop) {
    Schema schema = existingSchema(schemas, drop.schema());
    if (schema.procedure(drop.name()).isEmpty()) {
      throw noRoutine("PROCEDURE", drop.schema(), drop.name());
    }
    return CatalogDraft.put(
        schemas,
        schema.name(),
        schema.withProcedures(
            CatalogDraft.without(schema.procedures(), Procedure.key(drop.name()))));
  }

  static Map<String, Schema> putFunction(Map<String, Schema> schemas, StoredFunction function) {
    Schema schema = existingSchema(schemas, function.schema());
    return CatalogDraft.put(
        schemas,
        schema.name(),
        schema.withFunctions(CatalogDraft.put(schema.functions(), function.key(), function)));
  }

  static Map<String, Schema> dropFunction(
      Map<String, Schema> schemas, CatalogCommand.DropFunction drop) {
    Schema schema = existingSchema(schemas, drop.schema());
    if (schema.function(drop.name()).isEmpty()) {
      throw noRoutine("FUNCTION", drop.schema(), drop.name());
    }
    return CatalogDraft.put(
        schemas,
        schema.name(),
        schema.withFunctions(CatalogDraft.without(schema.functions(), Procedure.key(drop.name()))));
  }

  private static AlraiException noRoutine(String kind, String schema, String name) {
    return new AlraiException(
        ErrorCode.ER_SP_DOES_NOT_EXIST, kind + " " + schema + "." + name + " does not exist");
  }

  private static AlraiException unknown(String schema, String name) {
    return new AlraiException(
        ErrorCode.ER_BAD_TABLE_ERROR, "Unknown table '" + schema + "." + name + "'");
  }

  static Table existingTable(Map<String, Schema> schemas, CatalogCommand.DropTable drop) {
    Table table = existingSchema(schemas, drop.schema()).tables().get(drop.name());
    if (table == null) {
      throw unknown(drop.schema(), drop.name());
    }
    return table;
  }

  private static Schema existingSchema(Map<String, Schema> schemas, String name) {
    Schema schema = schemas.get(name);
    if (schema == null) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + name + "'");
    }
    return schema;
  }

  private static Schema withTables(Schema schema, Map<String, Table> tables) {
    return schema.withTables(tables, schema.tableGroups());
  }

  private static Schema withGroups(Schema schema, Map<Long, TableGroup> groups) {
    return schema.withTables(schema.tables(), groups);
  }

  private static AlraiException exists(String name) {
    return new AlraiException(
        ErrorCode.ER_TABLE_EXISTS_ERROR, "Table '" + name + "' already exists");
  }

  private static AlraiException conflict(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_CATALOG_CONFLICT, sentence);
  }
}
