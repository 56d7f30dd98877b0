package io.alrai.gms.catalog;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.TouchedTable;
import io.alrai.gms.api.Trigger;
import io.alrai.gms.api.View;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Small valid values to build tests from. */
public final class Samples {
  /** A DN that {@link #ground} makes known. */
  public static final DnId DN1 = new DnId("dn-1");

  /** Another one. */
  public static final DnId DN2 = new DnId("dn-2");

  /** A CN. */
  public static final NodeId CN1 = new NodeId("cn-1");

  /** Another one. */
  public static final NodeId CN2 = new NodeId("cn-2");

  private Samples() {}

  /** Two DNs, schema {@code shop} and its table group 7 with two partition groups. */
  public static CatalogCommand ground() {
    return new CatalogCommand.Batch(
        List.of(
            new CatalogCommand.PutDataNode(new DataNode(DN1, DataNode.EMBEDDED)),
            new CatalogCommand.PutDataNode(new DataNode(DN2, DataNode.EMBEDDED)),
            createSchema("shop"),
            new CatalogCommand.PutTableGroup(
                "shop", group(7, "tg", "shop_p00001", "shop_p00002"))));
  }

  /** A schema with two partitions by default. */
  public static CatalogCommand.CreateSchema createSchema(String name) {
    return new CatalogCommand.CreateSchema(name, name, "utf8mb4", "utf8mb4_0900_ai_ci", 2);
  }

  /** A table group with one partition group per physical schema, on the two DNs in turn. */
  public static TableGroup group(long id, String name, String... physicalSchemas) {
    List<PartitionGroup> groups = new java.util.ArrayList<>();
    for (int i = 0; i < physicalSchemas.length; i++) {
      groups.add(
          new PartitionGroup(i, new PhysicalSchema(physicalSchemas[i]), i % 2 == 0 ? DN1 : DN2));
    }
    return new TableGroup(id, name, "key(integer) " + physicalSchemas.length, groups);
  }

  /** A table with an AUTO_INCREMENT key, in two partitions of table group 7. */
  public static Table table(long id, String schema, String name) {
    return new Table(
        id,
        schema,
        name,
        List.of(
            new Column("id", MysqlType.BIGINT, false, 20, 0, "", "", false, true, false, false),
            new Column(
                "label",
                MysqlType.VARCHAR,
                false,
                40,
                0,
                "utf8mb4",
                "utf8mb4_0900_ai_ci",
                true,
                false,
                false,
                false)),
        List.of("id"),
        List.of(List.of("label", "id")),
        false,
        new Partitioning.Key(List.of("id"), 2),
        7,
        List.of(),
        List.of(),
        false,
        false);
  }

  /** A trigger that fills the column {@code label}. */
  public static Trigger trigger(String name) {
    return new Trigger(
        name,
        "BEFORE",
        "INSERT",
        "root@%",
        "SET NEW.label = CONCAT('#', NEW.id)",
        List.of("id"),
        List.of("label"),
        List.of(new TouchedTable("log", Privilege.INSERT.bit(), false)),
        "ANSI_QUOTES",
        "utf8mb4",
        "utf8mb4_0900_ai_ci");
  }

  /** A view of one column over the table {@code t}. */
  public static View view(String schema, String name) {
    String query = "select `" + schema + "`.`t`.`id` AS `id` from `" + schema + "`.`t`";
    return new View(
        schema,
        name,
        List.of("id"),
        false,
        query,
        "CREATE VIEW `" + schema + "`.`" + name + "` AS " + query,
        "root@%",
        false,
        true,
        "utf8mb4",
        "utf8mb4_0900_ai_ci");
  }

  /** A procedure with one parameter. */
  public static Procedure procedure(String schema, String name) {
    return new Procedure(
        schema,
        name,
        "IN a INT",
        "SELECT a",
        "root@%",
        false,
        Map.of("sql_mode", "'ANSI'"),
        "utf8mb4_0900_ai_ci");
  }

  /** A function that calls another one. */
  public static StoredFunction function(String schema, String name) {
    return new StoredFunction(schema, name, "root@%", true, "UUID", Set.of("uuid", "other"));
  }

  /** A function that CNs interpret. */
  public static StoredFunction interpreted(String schema, String name) {
    return new StoredFunction(
        schema, name, "root@%", false, "UPDATE", Set.of(), List.of(procedure(schema, name)));
  }

  /** A running job on one table. */
  public static DdlJob job(long id, NodeId owner, String schema, String table) {
    return new DdlJob(
        id,
        schema,
        Set.of(new DdlJob.Target(schema, table)),
        "CREATE TABLE " + table + " (id BIGINT)",
        "CREATE_TABLE",
        DdlJob.State.RUNNING,
        owner,
        Map.of("step", "1"),
        "");
  }

  /** A change of a job's state. */
  public static CatalogCommand.UpdateJob update(long id, NodeId owner, DdlJob.State state) {
    return new CatalogCommand.UpdateJob(id, owner, state, Map.of("step", "2"), "");
  }

  /** A lease of one second from that time. */
  public static CatalogCommand.RenewComputeNode renew(NodeId id, long version, long nowMillis) {
    return new CatalogCommand.RenewComputeNode(id, "127.0.0.1:8527", version, nowMillis, 1000);
  }

  /** A lock over the cluster and what becomes of it, and generations. */
  public static List<CatalogCommand> ofCluster() {
    return List.of(
        new CatalogCommand.PutDnMember(
            DN1, new DnMember("dn-1-a", "host:1", DnMember.Keeps.ROWS), 3),
        new CatalogCommand.ForceGroup(
            DN1,
            3,
            "dn-1-b",
            new ForcedGroup.Last(7, 81_234, 1_700_000_000_000L),
            List.of("cn-2"),
            1_700_000_000_001L),
        new CatalogCommand.RenewLinkedNode(CN1, 9, 5, 7),
        new CatalogCommand.AddClusterLock(3, CN1, LockStage.STATEMENTS),
        new CatalogCommand.ReachClusterLock(3, LockStage.STATEMENTS, CN2),
        new CatalogCommand.AdvanceClusterLock(3, LockStage.COMMITS, 5),
        new CatalogCommand.DropClusterLock(3, CN1, 5),
        new CatalogCommand.BeginGeneration(1));
  }
}
