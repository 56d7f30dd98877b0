package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserChange;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE, ALTER and DROP USER: one entry of the GMS' log each, nothing on the DNs. All accounts of
 * a statement are changed or none.
 */
final class AccountChanges {
  private static final int EXISTS = 3163;
  private static final int MISSING = 3162;

  private final GmsService gms;
  private final DdlSession session;
  private final List<CatalogCommand> commands = new ArrayList<>();
  private final List<SqlWarning> notes = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final Set<UserName> named = new HashSet<>();

  AccountChanges(GmsService gms, DdlSession session) {
    this.gms = gms;
    this.session = session;
  }

  /** Empty when the statement is not about accounts. */
  Optional<DdlOutcome> run(DdlStatement statement) {
    Catalog catalog = gms.catalog();
    return switch (statement) {
      case DdlStatement.CreateUsers create -> {
        create.users().forEach(user -> create(catalog, user, create.ifNotExists()));
        yield Optional.of(submit("CREATE USER", "User account already exists"));
      }
      case DdlStatement.AlterUsers alter -> {
        alter.users().forEach(user -> alter(catalog, user, alter.ifExists()));
        yield Optional.of(submit("ALTER USER", "User account does not exist"));
      }
      case DdlStatement.DropUsers drop -> {
        drop.users().forEach(user -> drop(catalog, user, drop.ifExists()));
        yield Optional.of(submit("DROP USER", "User account does not exist"));
      }
      default -> Optional.empty();
    };
  }

  private void create(Catalog catalog, UserChange change, boolean ifNotExists) {
    UserName name = resolved(change.name());
    boolean exists = find(catalog, name).isPresent() || !named.add(name);
    if (exists && ifNotExists) {
      notes.add(SqlWarning.note(EXISTS, "Authorization ID " + text(name) + " already exists."));
    } else if (exists) {
      failed.add(text(name));
    } else {
      put(new Account(name.user(), name.host(), "", "", false), change);
    }
  }

  private void alter(Catalog catalog, UserChange change, boolean ifExists) {
    UserName name = resolved(change.name());
    Optional<Account> account = find(catalog, name);
    if (account.isPresent()) {
      put(account.get(), change);
    } else {
      missing(name, ifExists);
    }
  }

  private void drop(Catalog catalog, UserName user, boolean ifExists) {
    UserName name = resolved(user);
    if (find(catalog, name).isPresent() && named.add(name)) {
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

  private void put(Account base, UserChange change) {
    String password = change.password().orElse("");
    boolean given = change.password().isPresent();
    commands.add(
        new CatalogCommand.PutAccount(
            new Account(
                base.user(),
                base.host(),
                given ? doubleDigest("SHA-1", password) : base.nativeDigest(),
                given ? doubleDigest("SHA-256", password) : base.sha2Digest(),
                change.locked().orElse(base.locked()))));
  }

  private DdlOutcome submit(String operation, String why) {
    if (!failed.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER,
          "Operation " + operation + " failed for " + String.join(",", failed) + " (" + why + ")");
    }
    if (!commands.isEmpty()) {
      Catalog after = gms.submit(new CatalogCommand.Batch(commands));
      gms.awaitCatalogEverywhere(after.version());
    }
    return DdlOutcome.with(notes);
  }

  private UserName resolved(UserName name) {
    return name.equals(UserName.CURRENT) ? new UserName(session.user(), session.host()) : name;
  }

  private static Optional<Account> find(Catalog catalog, UserName name) {
    return catalog.accountsOf(name.user()).stream()
        .filter(account -> account.host().equalsIgnoreCase(name.host()))
        .findFirst();
  }

  private static String text(UserName name) {
    return "'" + name.user() + "'@'" + name.host() + "'";
  }

  private static String doubleDigest(String algorithm, String password) {
    if (password.isEmpty()) {
      return "";
    }
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      byte[] once = digest.digest(password.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().withUpperCase().formatHex(digest.digest(once));
    } catch (NoSuchAlgorithmException e) {
      throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "the Java runtime lacks " + algorithm, e);
    }
  }
}
