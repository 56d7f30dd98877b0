package io.alrai.gms.api;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A change of the catalog: one entry of the replicated log. Every command is applied as a whole or
 * refused with an AlraiException that has MySQL's error. Putting what is there already changes
 * nothing and does not raise the version. {@code nowMillis} is the leader's wall time wherever it
 * occurs: the leader writes it over what the sender gave.
 */
public sealed interface CatalogCommand {
  /** Is about one DN. */
  sealed interface OnDataNode extends CatalogCommand {}

  /** Is about one column node. */
  sealed interface OnColumnNode extends CatalogCommand {}

  /** Is about one procedure or function. */
  sealed interface OnRoutine extends CatalogCommand {}

  /** Is about one account as a whole. */
  sealed interface OnAccount extends CatalogCommand {}

  /**
   * Adds a DN, or gives a known one a new address. Logs have it from before there was {@link
   * RegisterDataNode}.
   */
  record PutDataNode(DataNode node) implements OnDataNode {}

  /**
   * Gives a known DN a new address, or adds one to a cluster that {@link Catalog#holdsData holds no
   * data}; else refused with ER_NOT_SUPPORTED_YET, as a new DN has no shadow schemas and no copies
   * of BROADCAST tables.
   */
  record RegisterDataNode(DataNode node) implements OnDataNode {}

  /**
   * Adds a member to a DN's group, or gives a known one a new address; adds the DN, where {@link
   * RegisterDataNode} would.
   *
   * @param generation of the group that it is in: refused with ALRAI_NODE_UNAVAILABLE where that
   *     has ended, but for the one that was made the group
   */
  record PutDnMember(DnId dn, DnMember member, long generation) implements OnDataNode {
    /** One of a group that was never forced. */
    public PutDnMember(DnId dn, DnMember member) {
      this(dn, member, 0);
    }
  }

  /** Forgets a member of a DN's group, if it is known: the group goes on without it. */
  record DropDnMember(DnId dn, String member) implements OnDataNode {}

  /**
   * An agent leads a known DN in that term of its group. One of a lower term than the known one is
   * late and changes nothing; one of a DN that is not known neither.
   */
  record HintLeader(DnId dn, String address, long term) implements OnDataNode {}

  /**
   * One member is the group of a DN from now on, in a generation after the known one: all others
   * are dropped, and no term of an earlier generation is believed. Once more for the same one it
   * adds to those that have ended. Refused with ALRAI_NODE_UNAVAILABLE where another one was made
   * the group of that generation, or the member is not known to have rows.
   *
   * @param after the last entry that the member has
   * @param ended nodes that have ended, as a person has said
   */
  record ForceGroup(
      DnId dn,
      long generation,
      String survivor,
      ForcedGroup.Last after,
      List<String> ended,
      long nowMillis)
      implements OnDataNode {
    public ForceGroup {
      ended = List.copyOf(ended);
    }
  }

  /**
   * Adds an agent or column node or renews its lease; {@code leaseMillis} from the leader's now. It
   * follows leaders by no older catalog than it says that it knows. Agents go with their members,
   * column nodes with {@link RemoveColumnNode}.
   */
  record RenewLinkedNode(NodeId id, long catalogVersion, long nowMillis, long leaseMillis)
      implements CatalogCommand {}

  /**
   * Adds a CN or renews its lease; {@code leaseMillis} from the leader's now. The CN itself must
   * count its lease from before it sent this.
   */
  record RenewComputeNode(
      NodeId id, String address, long catalogVersion, long nowMillis, long leaseMillis)
      implements CatalogCommand {}

  /** Takes a CN out at its ordered stop. */
  record RemoveComputeNode(NodeId id) implements CatalogCommand {}

  /** Adds a column node or renews its lease; {@code leaseMillis} from the leader's now. */
  record RenewColumnNode(NodeId id, String address, long nowMillis, long leaseMillis)
      implements OnColumnNode {}

  /**
   * Takes a column node out at its ordered stop, and a linked node: it follows nobody any more, as
   * an agent whose member was dropped.
   */
  record RemoveColumnNode(NodeId id) implements OnColumnNode {}

  /**
   * Adds a schema; refused with ER_DB_CREATE_EXISTS when there is one of that name, and when the
   * stem is another one's. A stem's number must be one reserved on the sequence {@code schema}.
   */
  record CreateSchema(
      String name, String stem, String charset, String collation, int defaultPartitions)
      implements CatalogCommand {}

  /** Adds or replaces a schema's own attributes; its tables stay. */
  record PutSchema(String name, String charset, String collation, int defaultPartitions)
      implements CatalogCommand {}

  /** Takes a schema out with all that is in it. */
  record DropSchema(String name) implements CatalogCommand {}

  /**
   * Adds a table group; refused when a group of that name is there. Physical schema names in it
   * must have been reserved by {@link GmsService#reserve} on {@code partition-group:<stem>}.
   */
  record PutTableGroup(String schema, TableGroup group) implements CatalogCommand {}

  /** Takes an empty table group out; refused while a table uses it. */
  record DropTableGroup(String schema, long groupId) implements CatalogCommand {}

  /**
   * Adds a table, or replaces the one with the same id, whatever its name and schema were. Refused
   * with ER_TABLE_EXISTS_ERROR when another table or a view has the name, and unless its table
   * group is there with as many partition groups as the table has partitions.
   */
  record PutTable(Table table) implements CatalogCommand {}

  /** Takes a table out; its sequence goes with it. */
  record DropTable(String schema, String name) implements CatalogCommand {}

  /**
   * Adds a view or replaces the one of its name; refused with ER_TABLE_EXISTS_ERROR when a table
   * has the name.
   */
  record PutView(View view) implements CatalogCommand {}

  /** Takes a view out; refused with ER_BAD_TABLE_ERROR when there is none of that name. */
  record DropView(String schema, String name) implements CatalogCommand {}

  /**
   * Adds a procedure or replaces the one of its name.
   *
   * @param owner key of the account that gets EXECUTE and ALTER ROUTINE on it, if it is there;
   *     empty for none
   */
  record PutProcedure(Procedure procedure, String owner) implements OnRoutine {}

  /**
   * Takes a procedure out; refused with ER_SP_DOES_NOT_EXIST when there is none of that name.
   *
   * @param privileges whether those on it go with it
   */
  record DropProcedure(String schema, String name, boolean privileges) implements OnRoutine {}

  /** Adds a function or replaces the one of its name; {@code owner} as of {@link PutProcedure}. */
  record PutFunction(StoredFunction function, String owner) implements OnRoutine {}

  /**
   * Takes a function out; refused with ER_SP_DOES_NOT_EXIST when there is none of that name.
   *
   * @param privileges whether those on it go with it
   */
  record DropFunction(String schema, String name, boolean privileges) implements OnRoutine {}

  /**
   * Adds or replaces an account with its privileges. Entries from before there were privileges read
   * as accounts with all of them.
   */
  record PutAccount(Account account) implements OnAccount {}

  /** Adds an account; refused with ER_CANNOT_USER when there is one of that name. */
  record CreateAccount(Account account) implements OnAccount {}

  /**
   * Replaces an account but for its privileges and roles, which stay; refused with ER_CANNOT_USER
   * when there is none of that name.
   */
  record AlterAccount(Account account) implements OnAccount {}

  /**
   * Keeps an unchanged password in another form; does nothing when the account is gone or has
   * another password by now.
   *
   * @param from what must be there
   */
  record ReplaceCredential(String user, String host, Credential from, Credential to)
      implements OnAccount {}

  /** Gives an account privileges; refused with ER_CANT_CREATE_USER_WITH_GRANT when it is gone. */
  record Grant(String user, String host, GrantChange change) implements CatalogCommand {}

  /** Takes privileges from an account; refused with ER_NONEXISTING_GRANT when it is gone. */
  record Revoke(String user, String host, GrantChange change) implements CatalogCommand {}

  /** Takes all privileges from an account; refused with ER_NONEXISTING_GRANT when it is gone. */
  record RevokeAll(String user, String host) implements CatalogCommand {}

  /**
   * Gives an account roles; refused with ER_UNKNOWN_AUTHID when it or one of them is gone, and with
   * ER_ROLE_GRANTED_TO_ITSELF when one of them has it as a role.
   *
   * @param roles keys of accounts
   */
  record GrantRoles(String user, String host, Set<String> roles, boolean admin)
      implements CatalogCommand {
    public GrantRoles {
      roles = Set.copyOf(roles);
    }
  }

  /** Takes roles from an account; refused with ER_UNKNOWN_AUTHID when it is gone. */
  record RevokeRoles(String user, String host, Set<String> roles) implements CatalogCommand {
    public RevokeRoles {
      roles = Set.copyOf(roles);
    }
  }

  /**
   * Says which roles of an account are active from its login on; refused with ER_UNKNOWN_AUTHID
   * when it is gone, with ER_ROLE_NOT_GRANTED when it lacks one of them.
   */
  record SetDefaultRoles(String user, String host, Set<String> roles) implements CatalogCommand {
    public SetDefaultRoles {
      roles = Set.copyOf(roles);
    }
  }

  /**
   * Gives an account another name; refused with ER_CANNOT_USER when it is gone or the name is
   * taken, with ER_RENAME_ROLE when it is somebody's role.
   */
  record RenameAccount(String user, String host, String newUser, String newHost)
      implements OnAccount {}

  /** Takes an account out, also of the roles of others. */
  record DropAccount(String user, String host) implements OnAccount {}

  /** Sets a cluster-wide setting; an empty value takes it out. */
  record PutSetting(String name, String value) implements CatalogCommand {}

  /**
   * Adds a job; refused while another open job works on the same object. The id is one reserved on
   * the sequence {@code ddl-job}.
   */
  record PutJob(DdlJob job) implements CatalogCommand {}

  /** Records progress or a new state; refused unless {@code owner} owns the job. */
  record UpdateJob(
      long id, NodeId owner, DdlJob.State state, Map<String, String> progress, String error)
      implements CatalogCommand {}

  /**
   * Takes over an open job whose owner's lease has run out (or that names the taker itself);
   * refused otherwise.
   */
  record ClaimJob(long id, NodeId owner, long nowMillis) implements CatalogCommand {}

  /**
   * Records what a job waits for, to be shown; the next record of its owner removes it. Refused
   * unless {@code owner} owns the job.
   *
   * @param shown entries of the progress whose keys begin with {@link DdlJob#SHOWN}; empty for
   *     nothing
   */
  record ShowStep(long id, NodeId owner, Map<String, String> shown) implements CatalogCommand {}

  /**
   * Makes the owner of a running job roll it back. A job that goes only forward, and has failed, is
   * given up: what it has changed stays. Refused when the job has ended, or goes only forward
   * without a failure.
   */
  record CancelJob(long id, String reason) implements CatalogCommand {}

  /** Adds a lock over the cluster; refused when its id is another one's. */
  record AddClusterLock(long id, NodeId owner, LockStage stage) implements CatalogCommand {}

  /** Records that nothing that the lock holds off is at work on a CN any more. */
  record ReachClusterLock(long id, LockStage stage, NodeId node) implements CatalogCommand {}

  /**
   * Moves a lock to a stage, or leaves it at its own; refused while a CN with a lease has not
   * reached the stage where it is, and when it is gone.
   */
  record AdvanceClusterLock(long id, LockStage stage, long nowMillis) implements CatalogCommand {}

  /** Takes a lock out; refused unless the node owns it or the owner's lease has run out. */
  record DropClusterLock(long id, NodeId node, long nowMillis) implements CatalogCommand {}

  /**
   * The first change of a GMS of which one node was made the group by force: versions of the
   * catalog begin above all of the generations before. Numbers of names and jobs that may have been
   * given without this node's knowledge are left out; those of tables' ids are not.
   */
  record BeginGeneration(long generation) implements CatalogCommand {}

  /** Several commands, applied all or none, one version step. */
  record Batch(List<CatalogCommand> commands) implements CatalogCommand {
    public Batch {
      commands = List.copyOf(commands);
    }
  }
}
