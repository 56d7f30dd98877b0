package io.alrai.gms.catalog;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.CatalogCommand;

/** Puts the leader's wall time into the commands that ask for it, before they enter the log. */
public final class LeaderTime {
  private LeaderTime() {}

  /**
   * The command with the leader's time in place of whatever time its sender wrote.
   *
   * @param leasesMillis the time by which leases have run out, see {@link
   *     io.alrai.gms.topology.Leases#time}
   */
  public static CatalogCommand stamp(CatalogCommand command, long nowMillis, long leasesMillis) {
    return switch (command) {
      case CatalogCommand.RenewComputeNode renew ->
          new CatalogCommand.RenewComputeNode(
              renew.id(), renew.address(), renew.catalogVersion(), nowMillis, renew.leaseMillis());
      case CatalogCommand.RenewColumnNode renew ->
          new CatalogCommand.RenewColumnNode(
              renew.id(), renew.address(), nowMillis, renew.leaseMillis());
      case CatalogCommand.RenewLinkedNode renew -> stamp(renew, nowMillis);
      case CatalogCommand.ForceGroup force -> stamp(force, nowMillis);
      case CatalogCommand.ClaimJob claim ->
          new CatalogCommand.ClaimJob(claim.id(), claim.owner(), leasesMillis);
      case CatalogCommand.AdvanceClusterLock advance ->
          new CatalogCommand.AdvanceClusterLock(advance.id(), advance.stage(), leasesMillis);
      case CatalogCommand.DropClusterLock drop ->
          new CatalogCommand.DropClusterLock(drop.id(), drop.node(), leasesMillis);
      case CatalogCommand.CreateAccount create ->
          new CatalogCommand.CreateAccount(stamp(create.account(), nowMillis));
      case CatalogCommand.AlterAccount alter ->
          new CatalogCommand.AlterAccount(stamp(alter.account(), nowMillis));
      case CatalogCommand.Batch batch ->
          new CatalogCommand.Batch(
              batch.commands().stream().map(each -> stamp(each, nowMillis, leasesMillis)).toList());
      case CatalogCommand.OnDataNode _,
          CatalogCommand.BeginGeneration _,
          CatalogCommand.RemoveComputeNode _,
          CatalogCommand.RemoveColumnNode _,
          CatalogCommand.CreateSchema _,
          CatalogCommand.PutSchema _,
          CatalogCommand.DropSchema _,
          CatalogCommand.PutTableGroup _,
          CatalogCommand.DropTableGroup _,
          CatalogCommand.PutTable _,
          CatalogCommand.DropTable _,
          CatalogCommand.PutView _,
          CatalogCommand.DropView _,
          CatalogCommand.PutProcedure _,
          CatalogCommand.DropProcedure _,
          CatalogCommand.PutFunction _,
          CatalogCommand.DropFunction _,
          CatalogCommand.PutAccount _,
          CatalogCommand.ReplaceCredential _,
          CatalogCommand.Grant _,
          CatalogCommand.Revoke _,
          CatalogCommand.RevokeAll _,
          CatalogCommand.GrantRoles _,
          CatalogCommand.RevokeRoles _,
          CatalogCommand.SetDefaultRoles _,
          CatalogCommand.RenameAccount _,
          CatalogCommand.DropAccount _,
          CatalogCommand.PutSetting _,
          CatalogCommand.PutJob _,
          CatalogCommand.UpdateJob _,
          CatalogCommand.ShowStep _,
          CatalogCommand.CancelJob _,
          CatalogCommand.AddClusterLock _,
          CatalogCommand.ReachClusterLock _ ->
          command;
    };
  }

  private static CatalogCommand stamp(CatalogCommand.RenewLinkedNode renew, long nowMillis) {
    return new CatalogCommand.RenewLinkedNode(
        renew.id(), renew.catalogVersion(), nowMillis, renew.leaseMillis());
  }

  private static CatalogCommand stamp(CatalogCommand.ForceGroup force, long nowMillis) {
    return new CatalogCommand.ForceGroup(
        force.dn(), force.generation(), force.survivor(), force.after(), force.ended(), nowMillis);
  }

  private static Account stamp(Account account, long nowMillis) {
    return account.with(account.password().stamped(nowMillis));
  }
}
