package io.alrai.optimizer.api;

import java.util.Optional;

/**
 * ALTER SYSTEM statements about groups: the member that leads that of a DN, those in it, and the
 * nodes of the GMS.
 */
public sealed interface MembersStatement {
  /** ALTER SYSTEM CHANGE_ROLE NODE 'member' TO LEADER, and its form as a CALL. */
  record ChangeLeader(String member) implements MembersStatement {}

  /**
   * ALTER SYSTEM FORCE LEADER 'member' OF 'dn' [ACCEPT DATA LOSS]: that member is the group.
   *
   * @param acceptsLoss else it only says what would be lost
   */
  record ForceLeader(String member, String dn, boolean acceptsLoss) implements MembersStatement {}

  /** What takes its time, and is a job as DDL is. */
  sealed interface AsJob extends MembersStatement {}

  /**
   * ALTER SYSTEM ADD {LOGGER | FOLLOWER} 'member' TO 'dn'.
   *
   * @param keepsRows FOLLOWER: it has a mysqld
   */
  record Add(String member, String dn, boolean keepsRows) implements AsJob {}

  /** ALTER SYSTEM ADD LEARNER 'member' TO 'dn': it has rows, and no vote. */
  record AddLearner(String member, String dn) implements AsJob {}

  /** ALTER SYSTEM REBUILD NODE 'member' [OF 'dn']: its rows come from another member. */
  record Rebuild(String member, Optional<String> dn) implements AsJob {}

  /** ALTER SYSTEM DROP NODE 'member' FROM 'dn'. */
  record Drop(String member, String dn) implements AsJob {}

  /** ALTER SYSTEM about the zones that members are in. */
  sealed interface OfZones extends MembersStatement {}

  /**
   * ALTER SYSTEM CHANGE_ROLE ZONE 'zone' TO LEADER: members there lead all groups that have one.
   */
  record ChangeZone(String zone) implements OfZones {}

  /** ALTER SYSTEM SET CONFIG PRIMARY_ZONE = 'zone': members there lead while they can; '': none. */
  record SetPrimaryZone(String zone) implements OfZones {}

  /** ALTER SYSTEM GET CONFIG PRIMARY_ZONE. */
  record GetPrimaryZone() implements OfZones {}

  /** ALTER SYSTEM ADD GMS 'node' AT 'host:port'. */
  record AddGms(String node, String address) implements MembersStatement {}

  /** ALTER SYSTEM DROP GMS 'node'. */
  record DropGms(String node) implements MembersStatement {}
}
