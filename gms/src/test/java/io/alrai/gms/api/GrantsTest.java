package io.alrai.gms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GrantsTest {
  private static final GrantScope TABLE = GrantScope.ofTable("shop", "t");

  private static GrantChange change(GrantScope scope, Privilege... privileges) {
    return GrantChange.of(scope, Set.of(privileges), List.of(), false);
  }

  private static Access access(Grants grants) {
    return Access.of(Account.of("ann", "%", Credential.NONE, false, grants), 1);
  }

  private static Access withSchema(String pattern, Privilege... privileges) {
    return access(Grants.NONE.granted(change(GrantScope.ofSchema(pattern), privileges)));
  }

  @Test
  void whatIsGrantedIsThereUntilItIsRevoked() {
    Grants grants =
        Grants.NONE
            .granted(change(TABLE, Privilege.SELECT, Privilege.INSERT))
            .granted(change(TABLE, Privilege.GRANT))
            .granted(change(GrantScope.ofSchema("shop"), Privilege.DROP))
            .granted(change(GrantScope.GLOBAL, Privilege.PROCESS));
    assertEquals(Set.of(Privilege.SELECT, Privilege.INSERT, Privilege.GRANT), grants.at(TABLE));
    assertEquals(Set.of(Privilege.DROP), grants.at(GrantScope.ofSchema("shop")));
    Grants fewer = grants.revoked(change(TABLE, Privilege.INSERT, Privilege.UPDATE));
    assertEquals(Set.of(Privilege.SELECT, Privilege.GRANT), fewer.at(TABLE));
    assertEquals(Set.of(Privilege.PROCESS), fewer.global());
    Grants none =
        fewer
            .revoked(change(TABLE, Privilege.SELECT, Privilege.GRANT))
            .revoked(change(GrantScope.ofSchema("shop"), Privilege.DROP))
            .revoked(change(GrantScope.GLOBAL, Privilege.PROCESS));
    assertEquals(Grants.NONE, none);
  }

  private static GrantChange onColumn(String column, Privilege... privileges) {
    return new GrantChange(TABLE, Set.of(), Map.of(column, Set.of(privileges)), List.of(), false);
  }

  @Test
  void columnsHaveTheirOwnPrivilegesWhateverTheCaseOfTheirNames() {
    Grants grants =
        Grants.NONE
            .granted(onColumn("a", Privilege.SELECT))
            .granted(onColumn("A", Privilege.INSERT))
            .granted(onColumn("b", Privilege.UPDATE));
    assertEquals(Set.of("a", "b"), grants.columnsAt(TABLE).keySet());
    Access access = access(grants);
    assertTrue(access.hasColumns() && access.sees("shop") && access.sees("shop", "t"));
    assertFalse(access.seesColumnsOf("shop", "t") || access.sees("shop", "u"));
    assertEquals(0, access.on("shop", "t"));
    assertEquals(
        Privilege.bits(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE),
        access.onSome("shop", "t"));
    assertEquals(
        Privilege.bits(Privilege.SELECT, Privilege.INSERT), access.onColumn("shop", "t", "A"));
    assertEquals(0, access.onColumn("shop", "t", "c"));
    assertEquals(0, access.onColumn("shop", "u", "a"));
    assertEquals(Set.of("t"), access.tablesOf("shop"));
    assertEquals(
        Map.of("b", Set.of(Privilege.UPDATE)),
        grants.revoked(onColumn("a", Privilege.SELECT, Privilege.INSERT)).columnsAt(TABLE));
    assertEquals(
        Grants.NONE.granted(onColumn("b", Privilege.UPDATE)).columns(),
        grants.revoked(change(TABLE, Privilege.SELECT, Privilege.INSERT)).columns());
    assertEquals(
        Grants.NONE,
        grants.revoked(change(TABLE, Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE)));
    assertFalse(access(grants.granted(change(TABLE, Privilege.DELETE))).on("shop", "t") == 0);
  }

  private static GrantChange onRoutine(RoutineKind kind, String name, Privilege... privileges) {
    return change(GrantScope.ofRoutine(kind, "shop", name), privileges);
  }

  @Test
  void proceduresAndFunctionsHaveTheirOwnPrivilegesWhateverTheCaseOfTheirNames() {
    Grants grants =
        Grants.NONE
            .granted(onRoutine(RoutineKind.PROCEDURE, "Pay", Privilege.EXECUTE))
            .granted(onRoutine(RoutineKind.PROCEDURE, "pAY", Privilege.GRANT))
            .granted(onRoutine(RoutineKind.FUNCTION, "pay", Privilege.ALTER_ROUTINE));
    Access access = access(grants);
    assertEquals(
        Privilege.bits(Privilege.EXECUTE, Privilege.GRANT),
        access.on(RoutineKind.PROCEDURE, "shop", "PAY"));
    assertEquals(Privilege.ALTER_ROUTINE.bit(), access.on(RoutineKind.FUNCTION, "shop", "Pay"));
    assertEquals(0, access.on(RoutineKind.PROCEDURE, "Shop", "pay"));
    assertEquals(0, access.on(RoutineKind.PROCEDURE, "shop", "p"));
    assertTrue(access.sees("shop") && access.uses("shop"));
    assertFalse(access.sees("shop", "pay") || access.seesAllOf("shop"));
    Grants both = grants.with(access(grants).grants());
    assertEquals(grants, both);
    Grants fewer = grants.revoked(onRoutine(RoutineKind.PROCEDURE, "pay", Privilege.EXECUTE));
    assertEquals(
        Map.of("shop", Map.of("pay", Set.of(Privilege.GRANT))),
        fewer.routines(RoutineKind.PROCEDURE));
    assertEquals(
        grants.functions(),
        fewer.revoked(onRoutine(RoutineKind.PROCEDURE, "pay", Privilege.GRANT)).functions());
    assertEquals(
        Grants.NONE,
        fewer
            .revoked(onRoutine(RoutineKind.PROCEDURE, "pay", Privilege.GRANT))
            .revoked(onRoutine(RoutineKind.FUNCTION, "pay", Privilege.ALTER_ROUTINE)));
    assertFalse(
        access(Grants.NONE.granted(change(TABLE, Privilege.SELECT)))
                .renewed(
                    catalog(
                        2, Map.of("ann@%", Account.of("ann", "%", Credential.NONE, false, grants))))
                .on(RoutineKind.FUNCTION, "shop", "pay")
            == 0);
  }

  private static Catalog catalog(long version, Account... accounts) {
    Map<String, Account> byKey =
        Arrays.stream(accounts).collect(Collectors.toMap(Account::key, Function.identity()));
    return new Catalog(version, Map.of(), List.of(), List.of(), byKey, Map.of(), Map.of());
  }

  private static Account role(String name, Grants grants, String... roles) {
    return Account.of(name, "%", Credential.NONE, true, grants)
        .with(Roles.NONE.granted(List.of(roles), false));
  }

  @Test
  void activeRolesAddTheirPrivilegesAndThoseOfTheirRoles() {
    Account ops = role("ops", Grants.NONE.granted(change(GrantScope.GLOBAL, Privilege.PROCESS)));
    Account dev = role("dev", Grants.NONE.granted(change(TABLE, Privilege.INSERT)), "ops@%");
    Account ann =
        role("ann", Grants.NONE.granted(change(TABLE, Privilege.SELECT)), "dev@%")
            .with(Roles.NONE.granted(List.of("dev@%"), false).withDefaults(List.of("dev@%")));
    Catalog catalog = catalog(1, ops, dev, ann);
    Access login = Access.ofLogin(ann, catalog);
    assertEquals(List.of("dev@%"), login.active());
    assertTrue(login.has(Privilege.PROCESS));
    assertEquals(
        Privilege.bits(Privilege.SELECT, Privilege.INSERT, Privilege.PROCESS),
        login.on("shop", "t"));
    Access none = login.with(catalog, List.of());
    assertFalse(none.has(Privilege.PROCESS));
    assertEquals(Privilege.SELECT.bit(), none.on("shop", "t"));
    assertEquals(List.of("dev@%"), none.reset(catalog).active());
    assertSame(login, login.reset(catalog));
    Access stripped = login.renewed(catalog(2, role("ops", Grants.NONE), dev, ann));
    assertFalse(stripped.has(Privilege.PROCESS));
    Access revoked = login.renewed(catalog(2, ops, dev, ann.with(Roles.NONE)));
    assertEquals(Privilege.SELECT.bit(), revoked.on("shop", "t"));
    assertEquals(List.of("dev@%"), revoked.active());
    assertSame(login, login.renewed(catalog));
  }

  @Test
  void allPrivilegesOfARoleMayBeTakenAway() {
    Account all = role("all", Grants.ALL);
    Account ann = role("ann", Grants.NONE, "all@%");
    Access access = Access.of(ann, catalog(1, all, ann), List.of("all@%"));
    assertTrue(access.everything());
    assertFalse(access.renewed(catalog(2, all, ann.with(Roles.NONE))).everything());
  }

  @Test
  void grantsAreAddedLevelByLevel() {
    Grants both =
        Grants.NONE
            .granted(change(TABLE, Privilege.SELECT))
            .granted(onColumn("a", Privilege.UPDATE))
            .with(
                Grants.NONE
                    .granted(change(TABLE, Privilege.INSERT))
                    .granted(change(GrantScope.ofSchema("shop"), Privilege.DROP))
                    .granted(onColumn("A", Privilege.SELECT)));
    assertEquals(Set.of(Privilege.SELECT, Privilege.INSERT), both.at(TABLE));
    assertEquals(Set.of(Privilege.DROP), both.at(GrantScope.ofSchema("shop")));
    assertEquals(Map.of("a", Set.of(Privilege.SELECT, Privilege.UPDATE)), both.columnsAt(TABLE));
    assertEquals(Grants.ALL, Grants.NONE.with(Grants.ALL));
  }

  @Test
  void dynamicPrivilegesKeepTheirOwnGrantOption() {
    GrantChange plain =
        GrantChange.of(
            GrantScope.GLOBAL, Set.of(), List.of(DynamicPrivilege.CONNECTION_ADMIN), false);
    GrantChange grantable =
        GrantChange.of(GrantScope.GLOBAL, Set.of(), List.of(DynamicPrivilege.CLONE_ADMIN), true);
    Grants grants = Grants.NONE.granted(plain).granted(grantable).granted(plain);
    assertEquals(
        Map.of(DynamicPrivilege.CONNECTION_ADMIN, false, DynamicPrivilege.CLONE_ADMIN, true),
        grants.dynamic());
    assertTrue(access(grants).mayGrant(DynamicPrivilege.CLONE_ADMIN));
    assertFalse(access(grants).mayGrant(DynamicPrivilege.CONNECTION_ADMIN));
    assertEquals(Grants.NONE, grants.revoked(plain).revoked(grantable));
  }

  @Test
  void aLevelHasThePrivilegesOfThoseAboveIt() {
    Grants grants =
        Grants.NONE
            .granted(change(GrantScope.GLOBAL, Privilege.SELECT))
            .granted(change(GrantScope.ofSchema("shop"), Privilege.INSERT))
            .granted(change(TABLE, Privilege.DELETE));
    Access access = access(grants);
    assertEquals(
        Privilege.bits(Privilege.SELECT, Privilege.INSERT, Privilege.DELETE),
        access.on("shop", "t"));
    assertEquals(Privilege.bits(Privilege.SELECT, Privilege.INSERT), access.on("shop", "u"));
    assertEquals(Privilege.SELECT.bit(), access.on("crm", "t"));
    assertEquals(Privilege.bits(Privilege.SELECT, Privilege.INSERT), access.in("shop"));
  }

  @Test
  void theMostSpecificPatternIsTheOnlyOneThatCounts() {
    Grants grants =
        Grants.NONE
            .granted(change(GrantScope.ofSchema("s%"), Privilege.SELECT))
            .granted(change(GrantScope.ofSchema("sho_"), Privilege.INSERT))
            .granted(change(GrantScope.ofSchema("shop"), Privilege.DELETE));
    assertEquals(Privilege.DELETE.bit(), access(grants).in("shop"));
    assertEquals(Privilege.INSERT.bit(), access(grants).in("show"));
    assertEquals(Privilege.SELECT.bit(), access(grants).in("shops"));
    assertEquals(0, access(grants).in("crm"));
  }

  @Test
  void patternsMatchAsWithLike() {
    assertEquals(Privilege.SELECT.bit(), withSchema("a\\_b", Privilege.SELECT).in("a_b"));
    assertEquals(0, withSchema("a\\_b", Privilege.SELECT).in("axb"));
    assertEquals(Privilege.SELECT.bit(), withSchema("a_b", Privilege.SELECT).in("axb"));
    assertEquals(0, withSchema("a_b", Privilege.SELECT).in("ab"));
    assertEquals(0, withSchema("a_", Privilege.SELECT).in("a"));
    assertEquals(Privilege.SELECT.bit(), withSchema("%", Privilege.SELECT).in("x"));
    assertEquals(Privilege.SELECT.bit(), withSchema("a%c%e", Privilege.SELECT).in("abcde"));
    assertEquals(0, withSchema("a%c%e", Privilege.SELECT).in("abcd"));
    assertEquals(0, withSchema("A", Privilege.SELECT).in("a"));
  }

  @Test
  void anythingInATableLetsItAndItsSchemaBeSeen() {
    Access access = access(Grants.NONE.granted(change(TABLE, Privilege.REFERENCES)));
    assertTrue(access.sees("shop") && access.uses("shop") && access.sees("shop", "t"));
    assertFalse(access.sees("shop", "u") || access.seesAllOf("shop") || access.sees("crm"));
    Access shows = access(Grants.NONE.granted(change(GrantScope.GLOBAL, Privilege.SHOW_DATABASES)));
    assertTrue(shows.sees("shop"));
    assertFalse(shows.uses("shop") || shows.sees("shop", "t"));
    Access admin = access(Grants.NONE.granted(change(GrantScope.GLOBAL, Privilege.CREATE_USER)));
    assertFalse(admin.sees("shop"));
  }

  @Test
  void everythingTakesAllOfThem() {
    assertTrue(access(Grants.ALL).everything());
    assertFalse(
        access(Grants.ALL.revoked(change(GrantScope.GLOBAL, Privilege.GRANT))).everything());
    GrantChange dynamic =
        GrantChange.of(
            GrantScope.GLOBAL, Set.of(), List.of(DynamicPrivilege.XA_RECOVER_ADMIN), false);
    assertFalse(access(Grants.ALL.revoked(dynamic)).everything());
  }

  private static Catalog catalog(long version, Map<String, Account> accounts) {
    return new Catalog(version, Map.of(), List.of(), List.of(), accounts, Map.of(), Map.of());
  }

  @Test
  void aLoginKeepsItsGlobalPrivilegesAndFollowsTheOthers() {
    Grants before = Grants.NONE.granted(change(GrantScope.GLOBAL, Privilege.SELECT));
    Access login = access(before);
    assertSame(login, login.renewed(catalog(1, Map.of())));
    Grants after =
        Grants.NONE
            .granted(change(GrantScope.GLOBAL, Privilege.DROP))
            .granted(change(TABLE, Privilege.INSERT));
    Account changed = Account.of("ann", "%", Credential.NONE, false, after);
    Access renewed = login.renewed(catalog(2, Map.of("ann@%", changed)));
    assertEquals(Privilege.bits(Privilege.SELECT, Privilege.INSERT), renewed.on("shop", "t"));
    assertSame(renewed, renewed.renewed(catalog(3, Map.of())));
  }

  @Test
  void anAccountIsNamedByAllBeforeTheLastAt() {
    Access access = Access.of(Account.of("a@b", "10.%", Credential.NONE, false, Grants.NONE), 1);
    assertEquals("a@b", access.user());
    assertEquals("10.%", access.host());
  }
}
