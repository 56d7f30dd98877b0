package io.alrai.gms.api;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.gms.api.node.ColumnNode;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.LinkedNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that the GMS knows at one version; immutable. The version grows with every change that a CN
 * must see before it plans another statement (schemas, DNs, accounts, settings); leases, locks,
 * column nodes, agents and sequences do not raise it.
 */
public record Catalog(
    long version,
    Map<String, Schema> schemas,
    List<DataNode> dataNodes,
    List<ComputeNode> computeNodes,
    Map<String, Account> accounts,
    Map<String, String> settings,
    Map<Long, DdlJob> jobs,
    List<ClusterLock> locks,
    List<ColumnNode> columnNodes,
    List<LinkedNode> linkedNodes) {
  /** The catalog of a cluster that has just been made. */
  public static final Catalog EMPTY =
      new Catalog(0, Map.of(), List.of(), List.of(), Map.of(), Map.of(), Map.of());

  /** Copies everything. */
  public Catalog {
    schemas = Map.copyOf(schemas);
    dataNodes = List.copyOf(dataNodes);
    computeNodes = List.copyOf(computeNodes);
    accounts = Map.copyOf(accounts);
    settings = Map.copyOf(settings);
    jobs = Map.copyOf(jobs);
    locks = List.copyOf(locks);
    columnNodes = List.copyOf(columnNodes);
    linkedNodes = List.copyOf(linkedNodes);
  }

  /** A catalog without locks over the cluster, column nodes and agents. */
  public Catalog(
      long version,
      Map<String, Schema> schemas,
      List<DataNode> dataNodes,
      List<ComputeNode> computeNodes,
      Map<String, Account> accounts,
      Map<String, String> settings,
      Map<Long, DdlJob> jobs) {
    this(
        version,
        schemas,
        dataNodes,
        computeNodes,
        accounts,
        settings,
        jobs,
        List.of(),
        List.of(),
        List.of());
  }

  /** The schema of that exact name. */
  public Optional<Schema> schema(String name) {
    return Optional.ofNullable(schemas.get(name));
  }

  /** The table of that exact name. */
  public Optional<Table> table(String schema, String name) {
    return schema(schema).flatMap(found -> found.table(name));
  }

  /** The view of that exact name. */
  public Optional<View> view(String schema, String name) {
    return schema(schema).flatMap(found -> found.view(name));
  }

  /** The function of that name, whatever its case. */
  public Optional<StoredFunction> function(String schema, String name) {
    return schema(schema).flatMap(found -> found.function(name));
  }

  /** Whether there is a function in any schema. */
  public boolean hasFunctions() {
    return schemas.values().stream().anyMatch(schema -> !schema.functions().isEmpty());
  }

  /** The procedure of that name, whatever its case. */
  public Optional<Procedure> procedure(String schema, String name) {
    return schema(schema).flatMap(found -> found.procedure(name));
  }

  /** The table that has a trigger of that name, whatever its case. */
  public Optional<Table> triggered(String schema, String trigger) {
    return schema(schema).stream()
        .flatMap(found -> found.tables().values().stream())
        .filter(table ->
            table.triggers().stream().anyMatch(each -> each.name().equalsIgnoreCase(trigger)))
        .findFirst();
  }

  /** Whether there is a view. */
  public boolean hasViews() {
    return schemas.values().stream().anyMatch(schema -> !schema.views().isEmpty());
  }

  /** The table group that holds a table. */
  public TableGroup tableGroup(Table table) {
    Schema schema = schemas.get(table.schema());
    TableGroup group = schema == null ? null : schema.tableGroups().get(table.tableGroupId());
    if (group == null) {
      throw new IllegalStateException("no table group for " + table.schema() + "." + table.name());
    }
    return group;
  }

  /** The physical schema that every DN has for the broadcast tables of a table's schema. */
  public PhysicalSchema broadcastSchema(Table table) {
    Schema schema = schemas.get(table.schema());
    if (schema == null) {
      throw new IllegalStateException("no schema for " + table.schema() + "." + table.name());
    }
    return schema.broadcastSchema();
  }

  /** Every place of a table, also of one that is on all DNs. */
  public List<PartitionGroup> places(Table table) {
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      PhysicalSchema physical = broadcastSchema(table);
      return dataNodes.stream().map(node -> new PartitionGroup(0, physical, node.id())).toList();
    }
    return tableGroup(table).partitionGroups();
  }

  /** Whether DNs have to hold something: databases, or what an open job makes of them. */
  public boolean holdsData() {
    return !schemas.isEmpty() || jobs.values().stream().anyMatch(DdlJob::open);
  }

  /** The DN of that name. */
  public Optional<DataNode> dataNode(DnId id) {
    return dataNodes.stream().filter(node -> node.id().equals(id)).findFirst();
  }

  /** The account of exactly that name and host pattern. */
  public Optional<Account> account(String user, String host) {
    return Optional.ofNullable(accounts.get(Account.key(user, host)));
  }

  /** The accounts of a user's name; the caller matches the hosts. */
  public List<Account> accountsOf(String user) {
    return accounts.values().stream().filter(account -> account.user().equals(user)).toList();
  }
}
