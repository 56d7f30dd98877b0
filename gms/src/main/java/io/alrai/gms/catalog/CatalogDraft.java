package io.alrai.gms.catalog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.node.ColumnNode;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.LinkedNode;
import io.alrai.gms.ddl.DdlJobs;
import io.alrai.gms.topology.ClusterLocks;
import io.alrai.gms.topology.ColumnNodes;
import io.alrai.gms.topology.DataNodes;
import io.alrai.gms.topology.Leases;
import io.alrai.gms.topology.LinkedNodes;
import io.alrai.raft.GroupIds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A catalog while commands change it. Every value in it is immutable and replaced whole, so that a
 * draft thrown away after a refusal leaves no trace. Not thread-safe.
 */
final class CatalogDraft {
  private final Catalog base;
  private final Set<Long> droppedTables = new HashSet<>();
  private final Set<String> droppedStems = new HashSet<>();
  private Map<String, Schema> schemas;
  private List<DataNode> dataNodes;
  private List<ComputeNode> computeNodes;
  private Map<String, Account> accounts;
  private Map<String, String> settings;
  private Map<Long, DdlJob> jobs;
  private List<ClusterLock> locks;
  private List<ColumnNode> columnNodes;
  private List<LinkedNode> linkedNodes;
  private long leastVersion;

  CatalogDraft(Catalog base) {
    this.base = base;
    this.schemas = base.schemas();
    this.dataNodes = base.dataNodes();
    this.computeNodes = base.computeNodes();
    this.accounts = base.accounts();
    this.settings = base.settings();
    this.jobs = base.jobs();
    this.locks = base.locks();
    this.columnNodes = base.columnNodes();
    this.linkedNodes = base.linkedNodes();
  }

  /** Applies one command to the draft; after a refusal the draft is of no use. */
  void apply(CatalogCommand command) {
    switch (command) {
      case CatalogCommand.OnDataNode ofNode -> change(ofNode);
      case CatalogCommand.RenewLinkedNode renewal ->
          linkedNodes = LinkedNodes.renew(linkedNodes, renewal);
      case CatalogCommand.RenewComputeNode renew ->
          computeNodes = Leases.renew(computeNodes, renew);
      case CatalogCommand.RemoveComputeNode remove ->
          computeNodes = Leases.remove(computeNodes, remove.id());
      case CatalogCommand.OnColumnNode ofNode -> change(ofNode);
      case CatalogCommand.CreateSchema create -> schemas = SchemaChanges.create(schemas, create);
      case CatalogCommand.PutSchema put -> schemas = SchemaChanges.put(schemas, put);
      case CatalogCommand.DropSchema drop -> dropSchema(drop.name());
      case CatalogCommand.PutTableGroup put ->
          schemas = SchemaChanges.putTableGroup(schemas, dataNodes, put);
      case CatalogCommand.DropTableGroup drop ->
          schemas = SchemaChanges.dropTableGroup(schemas, drop);
      case CatalogCommand.PutTable put -> {
        droppedTables.remove(put.table().id());
        schemas = SchemaChanges.putTable(schemas, put.table());
      }
      case CatalogCommand.DropTable drop -> {
        droppedTables.add(SchemaChanges.existingTable(schemas, drop).id());
        schemas = SchemaChanges.dropTable(schemas, drop);
      }
      case CatalogCommand.PutView put -> schemas = SchemaChanges.putView(schemas, put.view());
      case CatalogCommand.DropView drop -> schemas = SchemaChanges.dropView(schemas, drop);
      case CatalogCommand.OnRoutine ofRoutine -> change(ofRoutine);
      case CatalogCommand.OnAccount ofAccount ->
          accounts = AccountCommands.after(accounts, ofAccount);
      case CatalogCommand.GrantRoles grant -> accounts = RoleCommands.grant(accounts, grant);
      case CatalogCommand.RevokeRoles revoke -> accounts = RoleCommands.revoke(accounts, revoke);
      case CatalogCommand.SetDefaultRoles set -> accounts = RoleCommands.setDefault(accounts, set);
      case CatalogCommand.Grant grant -> accounts = AccountCommands.grant(accounts, grant);
      case CatalogCommand.Revoke revoke -> accounts = AccountCommands.revoke(accounts, revoke);
      case CatalogCommand.RevokeAll revoke -> accounts = AccountCommands.revoke(accounts, revoke);
      case CatalogCommand.PutSetting put -> putSetting(put);
      case CatalogCommand.PutJob put -> jobs = DdlJobs.add(jobs, put.job());
      case CatalogCommand.UpdateJob update -> jobs = DdlJobs.update(jobs, update);
      case CatalogCommand.ClaimJob claim -> jobs = DdlJobs.claim(jobs, computeNodes, claim);
      case CatalogCommand.ShowStep show -> jobs = DdlJobs.show(jobs, show);
      case CatalogCommand.CancelJob cancel -> jobs = DdlJobs.cancel(jobs, cancel);
      case CatalogCommand.AddClusterLock add -> locks = ClusterLocks.add(locks, add);
      case CatalogCommand.ReachClusterLock reach -> locks = ClusterLocks.reach(locks, reach);
      case CatalogCommand.AdvanceClusterLock advance ->
          locks = ClusterLocks.advance(locks, computeNodes, advance);
      case CatalogCommand.DropClusterLock drop ->
          locks = ClusterLocks.drop(locks, computeNodes, drop);
      case CatalogCommand.BeginGeneration begin ->
          leastVersion = GroupIds.firstTerm(begin.generation());
      case CatalogCommand.Batch batch -> batch.commands().forEach(this::apply);
    }
  }

  private void change(CatalogCommand.OnDataNode command) {
    List<DataNode> before = dataNodes;
    dataNodes = DataNodes.after(before, command, base.version() + 1, base.holdsData());
    linkedNodes = LinkedNodes.without(linkedNodes, before, dataNodes);
  }

  private void change(CatalogCommand.OnColumnNode command) {
    columnNodes = ColumnNodes.after(columnNodes, command);
    if (command instanceof CatalogCommand.RemoveColumnNode(NodeId id)) {
      linkedNodes = LinkedNodes.without(linkedNodes, Set.of(id.name()));
    }
  }

  private void change(CatalogCommand.OnRoutine command) {
    switch (command) {
      case CatalogCommand.PutProcedure(Procedure procedure, String owner) -> {
        schemas = SchemaChanges.putProcedure(schemas, procedure);
        own(owner, RoutineKind.PROCEDURE, procedure.schema(), procedure.name());
      }
      case CatalogCommand.PutFunction(StoredFunction function, String owner) -> {
        schemas = SchemaChanges.putFunction(schemas, function);
        own(owner, RoutineKind.FUNCTION, function.schema(), function.name());
      }
      case CatalogCommand.DropProcedure drop -> {
        schemas = SchemaChanges.dropProcedure(schemas, drop);
        if (drop.privileges()) {
          disown(RoutineKind.PROCEDURE, drop.schema(), drop.name());
        }
      }
      case CatalogCommand.DropFunction drop -> {
        schemas = SchemaChanges.dropFunction(schemas, drop);
        if (drop.privileges()) {
          disown(RoutineKind.FUNCTION, drop.schema(), drop.name());
        }
      }
    }
  }

  private void own(String owner, RoutineKind kind, String schema, String name) {
    accounts = AccountCommands.own(accounts, owner, GrantScope.ofRoutine(kind, schema, name));
  }

  private void disown(RoutineKind kind, String schema, String name) {
    accounts = AccountCommands.disown(accounts, GrantScope.ofRoutine(kind, schema, name));
  }

  /** The catalog, one version further when something changed that a plan depends on. */
  Catalog build() {
    boolean planned =
        !schemas.equals(base.schemas())
            || !planned(dataNodes).equals(planned(base.dataNodes()))
            || !accounts.equals(base.accounts())
            || !settings.equals(base.settings())
            || leastVersion > base.version();
    if (!planned
        && dataNodes.equals(base.dataNodes())
        && computeNodes.equals(base.computeNodes())
        && jobs.equals(base.jobs())
        && locks.equals(base.locks())
        && linkedNodes.equals(base.linkedNodes())
        && columnNodes.equals(base.columnNodes())) {
      return base;
    }
    return new Catalog(
        planned ? Math.max(base.version() + 1, leastVersion) : base.version(),
        schemas,
        dataNodes,
        computeNodes,
        accounts,
        settings,
        jobs,
        locks,
        columnNodes,
        linkedNodes);
  }

  private static List<DataNode> planned(List<DataNode> nodes) {
    return nodes.stream().map(DataNode::planned).toList();
  }

  /** Ids of the dropped tables, whose sequences go with them. */
  Set<Long> droppedTables() {
    return droppedTables;
  }

  /** Stems of the dropped schemas, whose partition groups are no longer counted. */
  Set<String> droppedStems() {
    return droppedStems;
  }

  private void dropSchema(String name) {
    Schema schema = schemas.get(name);
    if (schema == null) {
      throw new AlraiException(
          ErrorCode.ER_DB_DROP_EXISTS,
          "Can't drop database '" + name + "'; database doesn't exist");
    }
    schema.tables().values().forEach(table -> droppedTables.add(table.id()));
    droppedStems.add(schema.stem());
    schemas = without(schemas, name);
  }

  private void putSetting(CatalogCommand.PutSetting put) {
    settings =
        put.value().isEmpty()
            ? without(settings, put.name())
            : put(settings, put.name(), put.value());
  }

  /** The map with the entry; the same map when it is there already. */
  static <K, V> Map<K, V> put(Map<K, V> map, K key, V value) {
    if (value.equals(map.get(key))) {
      return map;
    }
    Map<K, V> next = new HashMap<>(map);
    next.put(key, value);
    return Map.copyOf(next);
  }

  /** The map without the entry; the same map when it has none. */
  static <K, V> Map<K, V> without(Map<K, V> map, K key) {
    if (!map.containsKey(key)) {
      return map;
    }
    Map<K, V> next = new HashMap<>(map);
    next.remove(key);
    return Map.copyOf(next);
  }
}
