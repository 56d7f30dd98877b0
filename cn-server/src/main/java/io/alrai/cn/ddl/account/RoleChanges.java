package io.alrai.cn.ddl.account;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.RoleChoice;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** GRANT and REVOKE of roles, and SET DEFAULT ROLE: for all accounts of a statement or none. */
final class RoleChanges {
  private static final int MISSING = 3162;
  private static final int UNKNOWN = 3523;

  private final GmsService gms;
  private final KnownAccounts known;
  private final List<CatalogCommand> commands = new ArrayList<>();
  private final List<SqlWarning> warnings = new ArrayList<>();

  RoleChanges(GmsService gms, DdlSession session) {
    this.gms = gms;
    this.known = new KnownAccounts(gms.catalog(), session);
  }

  /**
   * GRANT.
   *
   * @throws AlraiException 3523 for what is not there, 4027 for a role that would have itself
   */
  DdlOutcome grant(DdlStatement.GrantRoles grant) {
    List<Account> users = grant.users().stream().map(this::existing).toList();
    Set<String> roles = new HashSet<>();
    grant.roles().forEach(role -> roles.add(existing(role).key()));
    for (Account user : users) {
      commands.add(new CatalogCommand.GrantRoles(user.user(), user.host(), roles, grant.admin()));
    }
    return submit();
  }

  /**
   * REVOKE; a role that was not granted is no error.
   *
   * @throws AlraiException 3523 for what is not there
   */
  DdlOutcome revoke(DdlStatement.RevokeRoles revoke) {
    List<Account> users = new ArrayList<>();
    for (UserName name : revoke.users()) {
      Optional<Account> user = known.find(known.resolved(name));
      user.ifPresent(users::add);
      if (user.isEmpty() && !revoke.ignoreUnknown()) {
        throw unknown(name);
      }
      if (user.isEmpty()) {
        warnings.add(
            new SqlWarning(
                "Warning", MISSING, "Authorization ID " + name.user() + " does not exist."));
      }
    }
    Set<String> roles = new HashSet<>();
    for (UserName name : revoke.roles()) {
      Optional<Account> role = known.find(name);
      role.ifPresent(found -> roles.add(found.key()));
      if (role.isEmpty() && !revoke.ifExists()) {
        throw unknown(name);
      }
      if (role.isEmpty()) {
        warnings.add(new SqlWarning("Warning", UNKNOWN, unknown(name).sentence()));
      }
    }
    for (Account user : users) {
      commands.add(new CatalogCommand.RevokeRoles(user.user(), user.host(), roles));
    }
    return submit();
  }

  /**
   * SET DEFAULT ROLE.
   *
   * @throws AlraiException 3523 for an account that is not there, 3530 for a role that it lacks
   */
  DdlOutcome setDefault(DdlStatement.SetDefaultRoles set) {
    for (UserName name : set.users()) {
      UserName resolved = known.resolved(name);
      Optional<Account> user = known.find(resolved);
      Set<String> roles = new HashSet<>();
      switch (set.choice()) {
        case RoleChoice.All _ -> {
          roles.addAll(user.orElseThrow(() -> unknown(resolved)).roles().granted().keySet());
        }
        case RoleChoice.Listed listed -> {
          for (UserName role : listed.roles()) {
            roles.add(held(role, resolved, user));
          }
        }
        case RoleChoice.None _, RoleChoice.Default _ -> {
          // none
        }
      }
      user.ifPresent(account ->
          commands.add(new CatalogCommand.SetDefaultRoles(account.user(), account.host(), roles)));
    }
    return submit();
  }

  private String held(UserName role, UserName user, Optional<Account> account) {
    return known
        .find(role)
        .map(Account::key)
        .filter(key -> account.isPresent() && account.get().roles().granted().containsKey(key))
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ER_ROLE_NOT_GRANTED,
                quoted(role) + " is not granted to " + quoted(user)));
  }

  private Account existing(UserName name) {
    return known.find(known.resolved(name)).orElseThrow(() -> unknown(name));
  }

  private static AlraiException unknown(UserName name) {
    return new AlraiException(
        ErrorCode.ER_UNKNOWN_AUTHID, "Unknown authorization ID " + quoted(name));
  }

  private static String quoted(UserName name) {
    return Account.shown(Account.key(name.user(), name.host()));
  }

  private DdlOutcome submit() {
    if (!commands.isEmpty()) {
      Catalog after = gms.submit(new CatalogCommand.Batch(commands));
      gms.awaitCatalogEverywhere(after.version());
    }
    return DdlOutcome.with(warnings);
  }
}
