package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.PasswordHash;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Credential;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.PasswordOptions;
import io.alrai.optimizer.api.DdlStatement.UserChange;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.NewLimits;
import io.alrai.optimizer.api.NewPassword;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CREATE USER, ALTER USER, RENAME USER, DROP USER and SET PASSWORD after their first words. */
public final class AccountDdlParser {
  private static final int LONGEST_USER = 32;
  private static final int LONGEST_HOST = 255;

  /** What older versions showed: SHA1(SHA1(password)), and SHA256(SHA256(password)). */
  private static final Pattern OLD_DIGESTS =
      Pattern.compile("\\$ALRAI\\$(?:[0-9a-fA-F]{40}|)\\$([0-9a-fA-F]{64})");

  /** Words that begin what MySQL's accounts have and Alrai's have not. */
  private static final List<String> OTHERS =
      List.of("REQUIRE", "PASSWORD", "COMMENT", "ATTRIBUTE", "REPLACE", "RETAIN", "DISCARD");

  private static final Pattern NATIVE_DIGEST = Pattern.compile("\\*[0-9a-fA-F]{40}");

  /** They are no part of a name. */
  private static final Pattern BLANKS_AROUND = Pattern.compile("^ +| +$");

  private final DdlCursor cursor;

  AccountDdlParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** {@code DEFINER = user}, if it stands at the cursor. */
  Optional<UserName> definer() {
    if (!cursor.take("DEFINER")) {
      return Optional.empty();
    }
    cursor.expectSymbol("=");
    return Optional.of(user());
  }

  DdlStatement createUsers() {
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    List<NamedPassword> users = named(user());
    List<UserName> roles =
        cursor.take("DEFAULT", "ROLE") ? new RoleParser(cursor).roles() : List.of();
    return new DdlStatement.CreateUsers(cursor.sql(), changes(users), roles, ifNotExists);
  }

  DdlStatement alterUsers() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    UserName first = user();
    if (cursor.take("DEFAULT", "ROLE")) {
      return new RoleParser(cursor).alterDefaultRoles(first);
    }
    return new DdlStatement.AlterUsers(cursor.sql(), changes(named(first)), ifExists);
  }

  DdlStatement dropUsers() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    List<UserName> names = new ArrayList<>();
    do {
      names.add(user());
    } while (cursor.takeSymbol(","));
    cursor.expectEnd();
    return new DdlStatement.DropUsers(cursor.sql(), names, ifExists);
  }

  /** RENAME USER old TO new, ... */
  DdlStatement renameUsers() {
    List<DdlStatement.UserRenaming> renamings = new ArrayList<>();
    do {
      UserName from = user();
      cursor.expect("TO");
      renamings.add(new DdlStatement.UserRenaming(from, user()));
    } while (cursor.takeSymbol(","));
    cursor.expectEnd();
    return new DdlStatement.RenameUsers(cursor.sql(), renamings);
  }

  /** SET PASSWORD [FOR user] = 'password' | TO RANDOM. */
  DdlStatement setPassword() {
    UserName user = cursor.take("FOR") ? user() : UserName.CURRENT;
    if (cursor.sees("TO", "RANDOM")) {
      throw DdlParser.notSupported("SET PASSWORD TO RANDOM", "");
    }
    cursor.expectSymbol("=");
    String password = cursor.string();
    if (cursor.sees("REPLACE") || cursor.sees("RETAIN")) {
      throw DdlParser.notSupported("REPLACE and RETAIN CURRENT PASSWORD", "");
    }
    cursor.expectEnd();
    return new DdlStatement.AlterUsers(
        cursor.sql(),
        List.of(
            new UserChange(
                user,
                Optional.of(new NewPassword.Plain(Optional.empty(), password)),
                Optional.empty(),
                Optional.empty(),
                PasswordOptions.NONE,
                NewLimits.NONE)),
        false);
  }

  private List<NamedPassword> named(UserName first) {
    List<NamedPassword> users = new ArrayList<>();
    users.add(new NamedPassword(first, password()));
    while (cursor.takeSymbol(",")) {
      users.add(new NamedPassword(user(), password()));
    }
    return users;
  }

  private List<UserChange> changes(List<NamedPassword> users) {
    Optional<Boolean> requiresTls = tls();
    NewLimits limits = new LimitOptionParser(cursor).take();
    Optional<Boolean> locked = Optional.empty();
    PasswordOptionParser passwords = new PasswordOptionParser(cursor);
    while (!cursor.atEnd()) {
      if (cursor.take("ACCOUNT", "LOCK")) {
        locked = Optional.of(true);
      } else if (cursor.take("ACCOUNT", "UNLOCK")) {
        locked = Optional.of(false);
      } else if (!passwords.take()) {
        throw option();
      }
    }
    Optional<Boolean> lock = locked;
    PasswordOptions options = passwords.options();
    return users.stream()
        .map(user -> new UserChange(user.name, user.password, requiresTls, lock, options, limits))
        .toList();
  }

  /** REQUIRE NONE or SSL, which comes before all other options. */
  private Optional<Boolean> tls() {
    if (cursor.take("REQUIRE", "NONE")) {
      return Optional.of(false);
    }
    return cursor.take("REQUIRE", "SSL") ? Optional.of(true) : Optional.empty();
  }

  private record NamedPassword(UserName name, Optional<NewPassword> password) {}

  private RuntimeException option() {
    for (String word : OTHERS) {
      if (cursor.sees(word)) {
        return DdlParser.notSupported(word + " of an account", "; leave the clause out");
      }
    }
    return cursor.syntaxError();
  }

  private Optional<NewPassword> password() {
    if (!cursor.take("IDENTIFIED")) {
      return Optional.empty();
    }
    Optional<String> said = Optional.empty();
    if (cursor.take("WITH")) {
      String plugin = plugin(cursor.nameOrString());
      said = Optional.of(plugin);
      if (cursor.take("AS")) {
        return Optional.of(new NewPassword.Kept(kept(plugin, cursor.stringOrHex())));
      }
      if (!cursor.sees("BY")) {
        return Optional.of(new NewPassword.None(plugin));
      }
    }
    cursor.expect("BY");
    if (cursor.sees("RANDOM")) {
      throw DdlParser.notSupported("IDENTIFIED BY RANDOM PASSWORD", "; give a password");
    }
    return Optional.of(new NewPassword.Plain(said, cursor.string()));
  }

  /**
   * The plugin of this name.
   *
   * @throws AlraiException 1524 for one that there is not, 1235 for one that only a mysqld has
   */
  private static String plugin(String name) {
    for (String known : List.of(Scramble.SHA2, Scramble.NATIVE)) {
      if (name.equalsIgnoreCase(known)) {
        return known;
      }
    }
    throw DdlParser.notSupported("IDENTIFIED WITH " + name, "; use " + Scramble.SHA2);
  }

  /**
   * What SHOW CREATE USER shows after AS, of Alrai, of older versions of it, or of a mysqld.
   *
   * @throws AlraiException 1827 for anything else
   */
  private static Credential kept(String plugin, String text) {
    Matcher old = OLD_DIGESTS.matcher(text);
    if (plugin.equals(Scramble.SHA2) && old.matches()) {
      return Credential.old(old.group(1).toUpperCase(Locale.ROOT));
    }
    boolean fits =
        text.isEmpty()
            || (plugin.equals(Scramble.SHA2)
                ? PasswordHash.parse(text).isPresent()
                : NATIVE_DIGEST.matcher(text).matches());
    if (!fits) {
      throw new AlraiException(
          ErrorCode.ER_PASSWORD_FORMAT, "The password hash doesn't have the expected format.");
    }
    return new Credential(
        plugin, plugin.equals(Scramble.NATIVE) ? text.toUpperCase(Locale.ROOT) : text);
  }

  /** SHOW CREATE USER. */
  public static AdminStatement.Parsed showCreateUser(DdlCursor cursor) {
    cursor.expect("SHOW");
    cursor.expect("CREATE");
    cursor.expect("USER");
    AccountDdlParser parser = new AccountDdlParser(cursor);
    UserName user = cursor.sees("USER") ? parser.named() : parser.user();
    cursor.expectEnd();
    return new AdminStatement.ShowCreateUser(user);
  }

  UserName user() {
    if (cursor.take("USER") || cursor.take("CURRENT_USER")) {
      if (cursor.takeSymbol("(")) {
        cursor.expectSymbol(")");
      }
      return UserName.CURRENT;
    }
    return named();
  }

  /** {@code user[@host]}. */
  UserName named() {
    String name = checked(cursor.nameOrString(), "user name", LONGEST_USER);
    if (!cursor.takeSymbol("@")) {
      return new UserName(name, "%");
    }
    return new UserName(name, checked(host(), "host name", LONGEST_HOST));
  }

  private static String checked(String name, String what, int most) {
    if (name.codePointCount(0, name.length()) > most) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_STRING_LENGTH,
          "String '"
              + name
              + "' is too long for "
              + what
              + " (should be no longer than "
              + most
              + ")");
    }
    return BLANKS_AROUND.matcher(name).replaceAll("");
  }

  /** A host may be written without quotes: {@code db1.example-net}. */
  private String host() {
    int start = cursor.position();
    String host = cursor.nameOrString();
    if (cursor.token(start).kind() != DdlTokens.Kind.WORD) {
      return host;
    }
    while (continuesHost()) {
      cursor.moveTo(cursor.position() + 1);
    }
    return cursor.slice(start, cursor.position());
  }

  private boolean continuesHost() {
    int at = cursor.position();
    return !cursor.atEnd()
        && cursor.token(at).start() == cursor.token(at - 1).end()
        && !cursor.seesSymbol(",");
  }
}
