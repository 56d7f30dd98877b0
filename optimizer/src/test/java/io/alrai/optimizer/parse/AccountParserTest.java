package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.AccountLimits;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.AlterUsers;
import io.alrai.optimizer.api.DdlStatement.CreateUsers;
import io.alrai.optimizer.api.DdlStatement.UserChange;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.NewLimits;
import io.alrai.optimizer.api.NewPassword;
import io.alrai.optimizer.parse.ddl.DdlParser;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Statements about accounts, roles and privileges. */
class AccountParserTest {
  @Test
  void blanksAroundANameAreNoPartOfIt() {
    CreateUsers create = parse(CreateUsers.class, "CREATE USER ` a b `, 'c '@' d', `e`@`f `");
    assertEquals(
        List.of(new UserName("a b", "%"), new UserName("c", "d"), new UserName("e", "f")),
        create.users().stream().map(DdlStatement.UserChange::name).toList());
  }

  @Test
  void accounts() {
    CreateUsers create =
        parse(
            CreateUsers.class,
            "CREATE USER IF NOT EXISTS 'u'@'10.%' IDENTIFIED BY 'it''s', v@db-1.example IDENTIFIED"
                + " WITH mysql_native_password BY 'q', w ACCOUNT LOCK");
    assertEquals(new UserName("u", "10.%"), create.users().get(0).name());
    assertEquals(
        Optional.of(new NewPassword.Plain(Optional.empty(), "it's")),
        create.users().get(0).password());
    assertEquals(
        Optional.of(new NewPassword.Plain(Optional.of(Scramble.NATIVE), "q")),
        create.users().get(1).password());
    assertEquals(new UserName("v", "db-1.example"), create.users().get(1).name());
    assertEquals(new UserName("w", "%"), create.users().get(2).name());
    assertEquals(Optional.empty(), create.users().get(2).password());
    assertEquals(Optional.of(true), create.users().get(2).locked());
    AlterUsers set = parse(AlterUsers.class, "SET PASSWORD = 'p'");
    assertEquals(UserName.CURRENT, set.users().get(0).name());
    assertTrue(!set.toString().contains("'q'") && !create.users().toString().contains("it's"));
  }

  @Test
  void digests() {
    String digests = "$ALRAI$" + "aB".repeat(20) + "$" + "0f".repeat(32);
    for (String literal :
        List.of(
            "'" + digests + "'",
            "0x" + HexFormat.of().formatHex(digests.getBytes(StandardCharsets.US_ASCII)))) {
      UserChange change =
          parse(
                  CreateUsers.class,
                  "CREATE USER u IDENTIFIED WITH 'caching_sha2_password' AS "
                      + literal
                      + " REQUIRE NONE PASSWORD EXPIRE DEFAULT ACCOUNT UNLOCK PASSWORD HISTORY"
                      + " DEFAULT PASSWORD REUSE INTERVAL DEFAULT PASSWORD REQUIRE CURRENT DEFAULT")
              .users()
              .getFirst();
      assertEquals(
          Optional.of(new NewPassword.Kept(Credential.old("0F".repeat(32)))), change.password());
      assertTrue(!change.password().toString().contains("0F"));
    }
    String as = "CREATE USER u IDENTIFIED WITH caching_sha2_password AS ";
    assertEquals(Credential.NONE, kept(as + "''"));
    for (String wrong :
        List.of(
            "'abc'", "'$ALRAI$00$00'", "0x123", "'$A$005$0123456789'", "'*" + "AB".repeat(20))) {
      assertEquals(1827, errno(as + wrong + (wrong.startsWith("'*") ? "'" : "")), wrong);
    }
    assertEquals(1064, errno(as + "abc"));
  }

  private static Credential kept(String sql) {
    UserChange change = parse(CreateUsers.class, sql).users().getFirst();
    return ((NewPassword.Kept) change.password().orElseThrow()).credential();
  }

  @Test
  void hashesOfAMysqld() {
    String text = "$A$00A$\u0001'\\\n\"789012345678901" + "1".repeat(43);
    assertEquals(
        new Credential(Scramble.SHA2, text),
        kept(
            "CREATE USER u IDENTIFIED WITH 'caching_sha2_password' AS '"
                + text.replace("\\", "\\\\").replace("'", "\\'")
                + "'"));
    String nativeAs = "ALTER USER u IDENTIFIED WITH mysql_native_password AS '*";
    assertEquals(
        Optional.of(new NewPassword.Kept(new Credential(Scramble.NATIVE, "*" + "AB".repeat(20)))),
        parse(AlterUsers.class, nativeAs + "aB".repeat(20) + "'").users().getFirst().password());
    assertEquals(1827, errno(nativeAs + "ab'"));
    assertEquals(
        Optional.of(new NewPassword.None(Scramble.NATIVE)),
        parse(AlterUsers.class, "ALTER USER u IDENTIFIED WITH 'MYSQL_native_password'")
            .users()
            .getFirst()
            .password());
    assertEquals(1235, errno("CREATE USER u IDENTIFIED WITH auth_socket"));
  }

  @Test
  void tlsThatAnAccountNeeds() {
    String create = "CREATE USER u IDENTIFIED BY 'x'";
    assertEquals(Optional.of(true), tls(create + " REQUIRE SSL ACCOUNT LOCK"));
    assertEquals(Optional.of(false), tls(create + " REQUIRE NONE"));
    assertEquals(Optional.empty(), tls(create));
    for (String other : List.of("X509", "SUBJECT 'x'", "ISSUER 'x'", "CIPHER 'x'")) {
      assertEquals(1235, errno(create + " REQUIRE " + other), other);
    }
    for (String other : List.of("RETAIN CURRENT PASSWORD", "REPLACE 'x'")) {
      assertEquals(1235, errno("ALTER USER u IDENTIFIED BY 'y' " + other), other);
    }
    assertEquals(1235, errno("ALTER USER u DISCARD OLD PASSWORD"));
  }

  private static Optional<Boolean> tls(String sql) {
    return parse(CreateUsers.class, sql).users().getFirst().requiresTls();
  }

  private static DdlStatement.PasswordOptions options(String clauses) {
    return parse(CreateUsers.class, "CREATE USER u " + clauses).users().getFirst().options();
  }

  @Test
  void rulesForPasswords() {
    assertEquals(DdlStatement.PasswordOptions.NONE, options("ACCOUNT LOCK"));
    assertEquals(
        new DdlStatement.PasswordOptions(true, Optional.of(0), Optional.of(3), Optional.of(-1)),
        options(
            "PASSWORD EXPIRE NEVER FAILED_LOGIN_ATTEMPTS 3 PASSWORD EXPIRE PASSWORD_LOCK_TIME"
                + " UNBOUNDED"));
    assertEquals(Optional.of(-1), options("PASSWORD EXPIRE DEFAULT").lifetimeDays());
    assertEquals(Optional.of(65_535), options("PASSWORD EXPIRE INTERVAL 65535 DAY").lifetimeDays());
    for (String wrong :
        List.of(
            "PASSWORD EXPIRE INTERVAL 0 DAY",
            "PASSWORD EXPIRE INTERVAL 65536 DAY",
            "FAILED_LOGIN_ATTEMPTS 32768",
            "PASSWORD_LOCK_TIME 99999999999")) {
      assertEquals(1525, errno("CREATE USER u " + wrong), wrong);
    }
    assertEquals(1064, errno("CREATE USER u PASSWORD EXPIRE INTERVAL 2 DAYS"));
    assertEquals(1064, errno("CREATE USER u FAILED_LOGIN_ATTEMPTS"));
    assertEquals(1235, errno("CREATE USER u PASSWORD HISTORY 3"));
  }

  private static NewLimits limits(String clauses) {
    return parse(AlterUsers.class, "ALTER USER u " + clauses).users().getFirst().limits();
  }

  @Test
  void limitsOfAccounts() {
    assertEquals(NewLimits.NONE, limits("REQUIRE NONE ACCOUNT LOCK"));
    assertEquals(
        new AccountLimits(1, 2, 3, 0xffff_ffffL),
        limits(
                "REQUIRE SSL WITH MAX_USER_CONNECTIONS 99999999999999999999 MAX_QUERIES_PER_HOUR 9"
                    + " MAX_UPDATES_PER_HOUR 4294967298 max_connections_per_hour 3"
                    + " MAX_QUERIES_PER_HOUR 1 PASSWORD EXPIRE")
            .over(AccountLimits.NONE));
    assertEquals(
        new AccountLimits(1, 2, 3, 0),
        limits("WITH MAX_USER_CONNECTIONS 0").over(new AccountLimits(1, 2, 3, 4)));
    for (String wrong :
        List.of(
            "WITH",
            "WITH MAX_USER_CONNECTIONS",
            "WITH MAX_USER_CONNECTIONS -1",
            "WITH MAX_USER_CONNECTIONS '1'",
            "ACCOUNT LOCK WITH MAX_USER_CONNECTIONS 1",
            "WITH MAX_USER_CONNECTIONS 1, v WITH MAX_USER_CONNECTIONS 1")) {
      assertEquals(1064, errno("CREATE USER u " + wrong), wrong);
    }
  }

  @Test
  void roles() {
    List<UserName> two = List.of(new UserName("r", "%"), new UserName("x y", "h"));
    assertEquals(two, parse(DdlStatement.CreateRoles.class, "CREATE ROLE r, `x y`@h").roles());
    assertTrue(parse(DdlStatement.DropRoles.class, "DROP ROLE IF EXISTS r").ifExists());
    DdlStatement.GrantRoles grant =
        parse(DdlStatement.GrantRoles.class, "GRANT r, 'x y'@h TO u, v WITH ADMIN OPTION");
    assertEquals(two, grant.roles());
    assertEquals(List.of(new UserName("u", "%"), new UserName("v", "%")), grant.users());
    assertTrue(grant.admin());
    DdlStatement.RevokeRoles revoke =
        parse(DdlStatement.RevokeRoles.class, "REVOKE IF EXISTS r FROM u IGNORE UNKNOWN USER");
    assertTrue(revoke.ifExists() && revoke.ignoreUnknown());
    assertEquals(
        new DdlStatement.RoleChoice.Listed(two),
        parse(DdlStatement.SetDefaultRoles.class, "SET DEFAULT ROLE r, `x y`@h TO u").choice());
    assertEquals(
        new DdlStatement.RoleChoice.All(List.of()),
        parse(DdlStatement.SetDefaultRoles.class, "ALTER USER u DEFAULT ROLE ALL").choice());
    assertEquals(
        two,
        parse(DdlStatement.CreateUsers.class, "CREATE USER u DEFAULT ROLE r, `x y`@h ACCOUNT LOCK")
            .defaultRoles());
    assertEquals(
        List.of(
            new DdlStatement.UserRenaming(new UserName("u", "%"), new UserName("v", "h")),
            new DdlStatement.UserRenaming(UserName.CURRENT, new UserName("w", "%"))),
        parse(DdlStatement.RenameUsers.class, "RENAME USER u TO v@h, CURRENT_USER TO w")
            .renamings());
    for (String wrong :
        List.of(
            "CREATE ROLE",
            "CREATE ROLE none",
            "CREATE ROLE r IDENTIFIED BY 'x'",
            "GRANT SELECT TO u",
            "GRANT r TO u WITH GRANT OPTION",
            "SET DEFAULT ROLE DEFAULT TO u",
            "SET DEFAULT ROLE ALL TO",
            "ALTER USER u, v DEFAULT ROLE ALL",
            "ALTER USER u DEFAULT ROLE ALL ACCOUNT LOCK",
            "RENAME USER u")) {
      assertEquals(1064, errno(wrong), wrong);
    }
  }

  @Test
  void grants() {
    DdlStatement.GrantPrivileges grant =
        parse(
            DdlStatement.GrantPrivileges.class,
            "GRANT SELECT, create temporary tables, LOCK TABLES, Grant Option, clone_admin, USAGE"
                + " ON s.* TO u, 'v'@localhost WITH GRANT OPTION");
    assertEquals(
        new DdlStatement.PrivilegeNames(
            false,
            Set.of(
                Privilege.SELECT,
                Privilege.CREATE_TEMPORARY_TABLES,
                Privilege.LOCK_TABLES,
                Privilege.GRANT),
            List.of(),
            List.of("CLONE_ADMIN")),
        grant.privileges());
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.SCHEMA, Optional.of("s"), ""), grant.target());
    assertEquals(List.of(new UserName("u", "%"), new UserName("v", "localhost")), grant.users());
    assertTrue(grant.grantOption());
    assertEquals(
        new DdlStatement.PrivilegeNames(
            false,
            Set.of(Privilege.DELETE),
            List.of(
                new DdlStatement.ColumnPrivilege("a", Privilege.SELECT),
                new DdlStatement.ColumnPrivilege("b c", Privilege.SELECT),
                new DdlStatement.ColumnPrivilege("a", Privilege.UPDATE)),
            List.of()),
        parse(
                DdlStatement.GrantPrivileges.class,
                "GRANT SELECT (a, `b c`), DELETE, UPDATE (a) ON s.t TO u")
            .privileges());
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.TABLE, Optional.empty(), "t"),
        parse(DdlStatement.GrantPrivileges.class, "GRANT ALL ON TABLE t TO u").target());
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.GLOBAL, Optional.empty(), ""),
        parse(DdlStatement.GrantPrivileges.class, "GRANT ALL ON *.* TO u").target());
  }

  @Test
  void grantsOnRoutines() {
    DdlStatement.GrantPrivileges grant =
        parse(
            DdlStatement.GrantPrivileges.class,
            "GRANT EXECUTE, alter routine ON procedure s.`P q` TO u WITH GRANT OPTION");
    assertEquals(Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE), grant.privileges().fixed());
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.PROCEDURE, Optional.of("s"), "P q"), grant.target());
    assertTrue(grant.grantOption());
    DdlStatement.RevokePrivileges revoke =
        parse(
            DdlStatement.RevokePrivileges.class,
            "REVOKE IF EXISTS ALL ON FUNCTION f FROM u IGNORE UNKNOWN USER");
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.FUNCTION, Optional.empty(), "f"), revoke.target());
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.TABLE, Optional.empty(), "procedure"),
        parse(DdlStatement.GrantPrivileges.class, "GRANT ALL ON `procedure` TO u").target());
    assertEquals(1144, errno("GRANT EXECUTE ON PROCEDURE *.* TO u"));
    assertEquals(1144, errno("GRANT EXECUTE ON PROCEDURE s.* TO u"));
    assertEquals(1144, errno("REVOKE EXECUTE ON FUNCTION * FROM u"));
    for (String wrong :
        List.of(
            "GRANT SELECT (a) ON PROCEDURE p TO u",
            "GRANT EXECUTE ON PROCEDURE TO u",
            "GRANT EXECUTE ON PROCEDURE TABLE p TO u",
            "GRANT r ON PROCEDURE p",
            "GRANT EXECUTE ON PROCEDURE p, q TO u")) {
      assertEquals(1064, errno(wrong), wrong);
    }
  }

  @Test
  void revocations() {
    DdlStatement.RevokePrivileges revoke =
        parse(
            DdlStatement.RevokePrivileges.class,
            "REVOKE IF EXISTS ALL PRIVILEGES ON * FROM CURRENT_USER() IGNORE UNKNOWN USER");
    assertTrue(revoke.ifExists() && revoke.ignoreUnknown() && revoke.privileges().all());
    assertEquals(
        new DdlStatement.PrivilegeTarget(Level.SCHEMA, Optional.empty(), ""), revoke.target());
    assertEquals(List.of(UserName.CURRENT), revoke.users());
    assertEquals(
        2,
        parse(DdlStatement.RevokeAll.class, "REVOKE ALL, GRANT OPTION FROM a, b").users().size());
    for (String wrong :
        List.of(
            "GRANT ALL, SELECT ON s.* TO u",
            "GRANT SELECT, ON s.* TO u",
            "GRANT DELETE (a) ON s.t TO u",
            "GRANT SELECT () ON s.t TO u",
            "GRANT SELECT ON s..* TO u",
            "GRANT SELECT ON *.t TO u",
            "GRANT SELECT ON s.* TO",
            "GRANT ALL",
            "REVOKE SELECT ON s.* FROM u WITH GRANT OPTION")) {
      assertEquals(1064, errno(wrong), wrong);
    }
  }

  private static int errno(String sql) {
    return assertThrows(AlraiException.class, () -> DdlParser.parse(sql)).errno();
  }

  private static <T extends DdlStatement> T parse(Class<T> type, String sql) {
    return assertInstanceOf(type, DdlParser.parse(sql).orElseThrow());
  }
}
