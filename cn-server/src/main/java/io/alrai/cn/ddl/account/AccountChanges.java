package io.alrai.cn.ddl.account;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.PasswordHash;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PasswordRules;
import io.alrai.gms.api.ReservedAccounts;
import io.alrai.gms.api.Roles;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.PasswordOptions;
import io.alrai.optimizer.api.DdlStatement.UserChange;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.NewPassword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * CREATE, ALTER, RENAME and DROP USER, CREATE and DROP ROLE: one entry of the GMS' log each,
 * nothing on the DNs. All accounts of a statement are changed or none.
 */
public final class AccountChanges {
  private static final int NO_ACCOUNT = 1133;
  private static final int EXISTS = 3163;
  private static final int MISSING = 3162;

  private final GmsService gms;
  private final DdlSession session;
  private final KnownAccounts known;
  private final List<CatalogCommand> commands = new ArrayList<>();
  private final List<SqlWarning> notes = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final Set<UserName> named = new HashSet<>();

  public AccountChanges(GmsService gms, DdlSession session) {
    this.gms = gms;
    this.session = session;
    this.known = new KnownAccounts(gms.catalog(), session);
  }

  /** Runs a statement. */
  public DdlOutcome run(DdlStatement.OnAccount statement) {
    return switch (statement) {
      case DdlStatement.CreateUsers create -> {
        Set<String> roles = roles(create.defaultRoles());
        create.users().forEach(user -> create(user, roles, create.ifNotExists()));
        yield submit("CREATE USER", "User account already exists");
      }
      case DdlStatement.CreateRoles create -> {
        create.roles().forEach(role -> create(role, create.ifNotExists()));
        yield submit("CREATE ROLE", "User account already exists");
      }
      case DdlStatement.AlterUsers alter -> {
        alter.users().forEach(user -> alter(user, alter.ifExists()));
        if (!failed.isEmpty() && alter.setsPassword()) {
          throw AlraiException.fromServer(
              NO_ACCOUNT, "42000", "Can't find any matching row in the user table");
        }
        yield submit("ALTER USER", "User account does not exist");
      }
      case DdlStatement.DropUsers drop -> {
        drop.users().forEach(user -> drop(user, drop.ifExists()));
        yield submit("DROP USER", "User account does not exist");
      }
      case DdlStatement.DropRoles drop -> {
        drop.roles().forEach(role -> drop(role, drop.ifExists()));
        yield submit("DROP ROLE", "User account does not exist");
      }
      case DdlStatement.RenameUsers rename -> {
        rename.renamings().forEach(this::rename);
        yield submit("RENAME USER", "");
      }
      case DdlStatement.GrantRoles grant -> new RoleChanges(gms, session).grant(grant);
      case DdlStatement.RevokeRoles revoke -> new RoleChanges(gms, session).revoke(revoke);
      case DdlStatement.SetDefaultRoles set -> new RoleChanges(gms, session).setDefault(set);
      case DdlStatement.GrantPrivileges grant -> new GrantChanges(gms, session).grant(grant);
      case DdlStatement.RevokePrivileges revoke -> new GrantChanges(gms, session).revoke(revoke);
      case DdlStatement.RevokeAll revoke -> new GrantChanges(gms, session).revokeAll(revoke);
    };
  }

  private Set<String> roles(List<UserName> names) {
    Set<String> roles = new HashSet<>();
    for (UserName name : names) {
      Account role =
          known
              .find(name)
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ER_USER_DOES_NOT_EXIST,
                      "Authorization ID "
                          + Account.quoted(Account.key(name.user(), name.host()))
                          + " does not exist."));
      roles.add(role.key());
    }
    return roles;
  }

  /** As a mysqld says of such a name, which it has already. */
  private static void refuseReserved(UserName name, String operation) {
    if (ReservedAccounts.has(name.user())) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER,
          "Operation " + operation + " failed for " + text(name) + " (the name is reserved)");
    }
  }

  private void create(UserChange change, Set<String> roles, boolean ifNotExists) {
    UserName name = known.resolved(change.name());
    refuseReserved(name, "CREATE USER");
    Account account =
        Account.of(name.user(), name.host(), Credential.NONE, false, Grants.NONE)
            .with(PasswordRules.NEW);
    if (isNew(name, ifNotExists)) {
      commands.add(
          new CatalogCommand.CreateAccount(
              changed(account, change, "CREATE USER")
                  .with(Roles.NONE.granted(roles, false).withDefaults(roles))));
    }
  }

  /** Nobody logs in to a role: it is locked and its password has expired, as in MySQL. */
  private void create(UserName role, boolean ifNotExists) {
    if (role.user().isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER, "Operation CREATE ROLE failed for anonymous user");
    }
    refuseReserved(role, "CREATE ROLE");
    if (isNew(role, ifNotExists)) {
      commands.add(
          new CatalogCommand.CreateAccount(
              Account.of(role.user(), role.host(), Credential.NONE, true, Grants.NONE)
                  .with(PasswordRules.EXPIRED)));
    }
  }

  private boolean isNew(UserName name, boolean ifNotExists) {
    boolean exists = known.find(name).isPresent() || !named.add(name);
    if (exists && ifNotExists) {
      notes.add(SqlWarning.note(EXISTS, "Authorization ID " + text(name) + " already exists."));
    } else if (exists) {
      failed.add(text(name));
    }
    return !exists;
  }

  /** A later one may take a name that an earlier one has left. */
  private void rename(DdlStatement.UserRenaming renaming) {
    UserName from = known.resolved(renaming.from());
    UserName to = known.resolved(renaming.to());
    refuseReserved(to, "RENAME USER");
    Account account = known.find(from).orElse(null);
    String key = account == null ? Account.key(from.user(), from.host()) : account.key();
    if (to.user().isEmpty() && account != null && !account.roles().granted().isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER,
          "Operation RENAME USER failed for "
              + text(from)
              + " (User account is renamed to anonymous user, but roles are granted to it)");
    }
    commands.add(
        new CatalogCommand.RenameAccount(
            Account.userOf(key), Account.hostOf(key), to.user(), to.host()));
  }

  private void alter(UserChange change, boolean ifExists) {
    UserName name = known.resolved(change.name());
    Optional<Account> account = known.find(name);
    if (account.isPresent()) {
      boolean emptied = change.password().orElse(null) instanceof NewPassword.None;
      Account changed = changed(account.get(), change, "ALTER USER");
      commands.add(
          new CatalogCommand.AlterAccount(
              emptied ? changed.with(changed.password().expiredNow()) : changed));
    } else {
      missing(name, ifExists);
    }
  }

  private void drop(UserName user, boolean ifExists) {
    UserName name = known.resolved(user);
    if (known.find(name).isPresent() && named.add(name)) {
      commands.add(new CatalogCommand.DropAccount(name.user(), name.host()));
    } else {
      missing(name, ifExists);
    }
  }

  private void missing(UserName name, boolean ifExists) {
    if (ifExists) {
      notes.add(SqlWarning.note(MISSING, "Authorization ID " + text(name) + " does not exist."));
    } else {
      failed.add(text(name));
    }
  }

  private static Account changed(Account base, UserChange change, String operation) {
    Credential credential =
        switch (change.password().orElse(null)) {
          case null -> base.credential();
          case NewPassword.Kept kept -> kept.credential();
          case NewPassword.None none -> new Credential(none.plugin(), "");
          case NewPassword.Plain plain -> {
            if (plain.text().getBytes(StandardCharsets.UTF_8).length
                > PasswordHash.LONGEST_PASSWORD) {
              throw new AlraiException(
                  ErrorCode.ER_CANNOT_USER,
                  "Operation "
                      + operation
                      + " failed for "
                      + text(new UserName(base.user(), base.host()))
                      + " (the password is longer than "
                      + PasswordHash.LONGEST_PASSWORD
                      + " bytes)");
            }
            yield Credential.of(plain.said().orElse(base.credential().plugin()), plain.text());
          }
        };
    return new Account(
        base.user(),
        base.host(),
        credential,
        change.requiresTls().orElse(base.requiresTls()),
        change.locked().orElse(base.locked()),
        base.grants(),
        base.roles(),
        rules(base.password(), change),
        change.limits().over(base.limits()));
  }

  /** A new password is good again; what is said of wrong ones, and ACCOUNT UNLOCK, unlocks. */
  private static PasswordRules rules(PasswordRules base, UserChange change) {
    PasswordOptions options = change.options();
    boolean given = change.password().isPresent();
    boolean unlocks =
        options.failedLogins().isPresent()
            || options.lockDays().isPresent()
            || change.locked().equals(Optional.of(false));
    return new PasswordRules(
        options.expired() || base.expired() && !given,
        options.lifetimeDays().orElse(base.lifetimeDays()),
        given ? PasswordRules.NOW : base.changedMillis(),
        options.failedLogins().orElse(base.failedLogins()),
        options.lockDays().orElse(base.lockDays()),
        unlocks ? base.unlocks() + 1 : base.unlocks());
  }

  private DdlOutcome submit(String operation, String why) {
    if (!failed.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER,
          failed.stream()
              .map(name -> name + " (" + why + ")")
              .collect(Collectors.joining(",", "Operation " + operation + " failed for ", "")));
    }
    if (!commands.isEmpty()) {
      Catalog after = gms.submit(new CatalogCommand.Batch(commands));
      gms.awaitCatalogEverywhere(after.version());
    }
    return DdlOutcome.with(notes);
  }

  private static String text(UserName name) {
    return Account.shown(name.user(), name.host());
  }
}
