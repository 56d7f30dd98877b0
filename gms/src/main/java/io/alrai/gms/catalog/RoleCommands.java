package io.alrai.gms.catalog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Roles;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What commands do to the roles of accounts. Pure. */
final class RoleCommands {
  private RoleCommands() {}

  static Map<String, Account> grant(
      Map<String, Account> accounts, CatalogCommand.GrantRoles grant) {
    Account known = existing(accounts, Account.key(grant.user(), grant.host()));
    for (String role : grant.roles()) {
      existing(accounts, role);
      if (reaches(accounts, role, known.key())) {
        throw new AlraiException(
            ErrorCode.ER_ROLE_GRANTED_TO_ITSELF,
            "User account "
                + quoted(known.key())
                + " is directly or indirectly granted to the role "
                + quoted(role)
                + ". The GRANT would create a loop");
      }
    }
    Roles more = known.roles().granted(grant.roles(), grant.admin());
    return CatalogDraft.put(accounts, known.key(), known.with(more));
  }

  /** Whether an account is another one, or has it as a role, or through roles. */
  private static boolean reaches(Map<String, Account> accounts, String from, String other) {
    Account account = accounts.get(from);
    return from.equals(other)
        || account != null
            && account.roles().granted().keySet().stream()
                .anyMatch(role -> reaches(accounts, role, other));
  }

  static Map<String, Account> revoke(
      Map<String, Account> accounts, CatalogCommand.RevokeRoles revoke) {
    Account known = existing(accounts, Account.key(revoke.user(), revoke.host()));
    Roles fewer = known.roles().revoked(revoke.roles());
    return CatalogDraft.put(accounts, known.key(), known.with(fewer));
  }

  static Map<String, Account> setDefault(
      Map<String, Account> accounts, CatalogCommand.SetDefaultRoles set) {
    Account known = existing(accounts, Account.key(set.user(), set.host()));
    for (String role : set.roles()) {
      if (!known.roles().granted().containsKey(role)) {
        throw new AlraiException(
            ErrorCode.ER_ROLE_NOT_GRANTED,
            Account.shown(role) + " is not granted to " + Account.shown(known.key()));
      }
    }
    return CatalogDraft.put(
        accounts, known.key(), known.with(known.roles().withDefaults(set.roles())));
  }

  /** Whether somebody has it as a role. */
  static boolean isRole(Map<String, Account> accounts, String key) {
    return accounts.values().stream()
        .anyMatch(account -> account.roles().granted().containsKey(key));
  }

  /** All accounts without one of their roles. */
  static Map<String, Account> withoutRole(Map<String, Account> accounts, String role) {
    if (!isRole(accounts, role)) {
      return accounts;
    }
    Map<String, Account> next = new HashMap<>(accounts);
    next.replaceAll((key, account) -> account.with(account.roles().revoked(Set.of(role))));
    return Map.copyOf(next);
  }

  private static Account existing(Map<String, Account> accounts, String key) {
    Account known = accounts.get(key);
    if (known == null) {
      throw new AlraiException(
          ErrorCode.ER_UNKNOWN_AUTHID, "Unknown authorization ID " + quoted(key));
    }
    return known;
  }

  private static String quoted(String key) {
    return Account.quoted(key);
  }
}
