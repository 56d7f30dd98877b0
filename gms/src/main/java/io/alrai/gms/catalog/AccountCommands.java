package io.alrai.gms.catalog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What commands do to accounts and their privileges. Pure. */
final class AccountCommands {
  private AccountCommands() {}

  /** The accounts after a command about one of them. */
  static Map<String, Account> after(
      Map<String, Account> accounts, CatalogCommand.OnAccount command) {
    return switch (command) {
      case CatalogCommand.PutAccount(Account account) ->
          CatalogDraft.put(accounts, account.key(), account);
      case CatalogCommand.CreateAccount(Account account) -> create(accounts, account);
      case CatalogCommand.AlterAccount(Account account) -> alter(accounts, account);
      case CatalogCommand.ReplaceCredential replace -> replace(accounts, replace);
      case CatalogCommand.RenameAccount rename -> rename(accounts, rename);
      case CatalogCommand.DropAccount drop -> drop(accounts, drop);
    };
  }

  private static Map<String, Account> create(Map<String, Account> accounts, Account account) {
    if (accounts.containsKey(account.key())) {
      throw cannot("CREATE USER", account.user(), account.host(), "User account already exists");
    }
    return CatalogDraft.put(accounts, account.key(), account);
  }

  private static Map<String, Account> alter(Map<String, Account> accounts, Account account) {
    Account known = accounts.get(account.key());
    if (known == null) {
      throw cannot("ALTER USER", account.user(), account.host(), "User account does not exist");
    }
    return CatalogDraft.put(
        accounts, account.key(), account.with(known.grants()).with(known.roles()));
  }

  private static Map<String, Account> replace(
      Map<String, Account> accounts, CatalogCommand.ReplaceCredential replace) {
    Account known = accounts.get(Account.key(replace.user(), replace.host()));
    return known == null || !known.credential().equals(replace.from())
        ? accounts
        : CatalogDraft.put(accounts, known.key(), known.with(replace.to()));
  }

  private static Map<String, Account> drop(
      Map<String, Account> accounts, CatalogCommand.DropAccount drop) {
    String key = Account.key(drop.user(), drop.host());
    if (!accounts.containsKey(key)) {
      throw cannot("DROP USER", drop.user(), drop.host(), "User account does not exist");
    }
    return RoleCommands.withoutRole(CatalogDraft.without(accounts, key), key);
  }

  private static Map<String, Account> rename(
      Map<String, Account> accounts, CatalogCommand.RenameAccount rename) {
    Account known = accounts.get(Account.key(rename.user(), rename.host()));
    boolean taken = accounts.containsKey(Account.key(rename.newUser(), rename.newHost()));
    if (known == null || taken) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER,
          "Operation RENAME USER failed for " + Account.shown(rename.user(), rename.host()));
    }
    if (RoleCommands.isRole(accounts, known.key())) {
      throw new AlraiException(
          ErrorCode.ER_RENAME_ROLE, "Renaming of a role identifier is forbidden");
    }
    Account renamed = known.named(rename.newUser(), rename.newHost());
    return CatalogDraft.put(CatalogDraft.without(accounts, known.key()), renamed.key(), renamed);
  }

  static Map<String, Account> grant(Map<String, Account> accounts, CatalogCommand.Grant grant) {
    String key = Account.key(grant.user(), grant.host());
    Account known = accounts.get(key);
    if (known == null) {
      throw new AlraiException(
          ErrorCode.ER_CANT_CREATE_USER_WITH_GRANT,
          "You are not allowed to create a user with GRANT");
    }
    return CatalogDraft.put(accounts, key, known.with(known.grants().granted(grant.change())));
  }

  static Map<String, Account> revoke(Map<String, Account> accounts, CatalogCommand.Revoke revoke) {
    Account known = existing(accounts, revoke.user(), revoke.host());
    Grants fewer = known.grants().revoked(revoke.change());
    return CatalogDraft.put(accounts, known.key(), known.with(fewer));
  }

  static Map<String, Account> revoke(
      Map<String, Account> accounts, CatalogCommand.RevokeAll revoke) {
    Account known = existing(accounts, revoke.user(), revoke.host());
    return CatalogDraft.put(accounts, known.key(), known.with(Grants.NONE));
  }

  /** Grants the creator of a routine what belongs to its creator. */
  static Map<String, Account> own(Map<String, Account> accounts, String key, GrantScope routine) {
    Account owner = accounts.get(key);
    if (owner == null) {
      return accounts;
    }
    GrantChange both =
        GrantChange.of(
            routine, Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE), List.of(), false);
    return CatalogDraft.put(accounts, key, owner.with(owner.grants().granted(both)));
  }

  /** Takes all privileges on a routine from all accounts. */
  static Map<String, Account> disown(Map<String, Account> accounts, GrantScope routine) {
    GrantChange all = GrantChange.of(routine, Privilege.allAt(routine.level()), List.of(), false);
    Map<String, Account> left = accounts;
    for (Account account : accounts.values()) {
      if (!account.grants().at(routine).isEmpty()) {
        left = CatalogDraft.put(left, account.key(), account.with(account.grants().revoked(all)));
      }
    }
    return left;
  }

  private static Account existing(Map<String, Account> accounts, String user, String host) {
    Account known = accounts.get(Account.key(user, host));
    if (known == null) {
      throw new AlraiException(
          ErrorCode.ER_NONEXISTING_GRANT,
          "There is no such grant defined for user '" + user + "' on host '" + host + "'");
    }
    return known;
  }

  private static AlraiException cannot(String operation, String user, String host, String why) {
    return new AlraiException(
        ErrorCode.ER_CANNOT_USER,
        "Operation " + operation + " failed for " + Account.shown(user, host) + " (" + why + ")");
  }
}
