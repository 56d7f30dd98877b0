package io.alrai.gms.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Roles;
import io.alrai.gms.api.RoutineKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What several accounts are to each other and to routines. */
class PeopleTest {
  private static CatalogState people() {
    CatalogState state = CatalogState.EMPTY;
    for (String name : List.of("ann", "dev", "ops")) {
      state =
          state.apply(
              new CatalogCommand.CreateAccount(
                  Account.of(name, "%", Credential.NONE, false, Grants.NONE)));
    }
    return state;
  }

  private static Roles roles(CatalogState state, String user) {
    return state.catalog().account(user, "%").orElseThrow().roles();
  }

  @Test
  void rolesAreGrantedAndRevoked() {
    CatalogState state =
        people()
            .apply(new CatalogCommand.GrantRoles("ann", "%", Set.of("dev@%"), true))
            .apply(new CatalogCommand.GrantRoles("ann", "%", Set.of("dev@%", "ops@%"), false))
            .apply(new CatalogCommand.SetDefaultRoles("ann", "%", Set.of("ops@%")));
    assertEquals(
        new Roles(Map.of("dev@%", true, "ops@%", false), Set.of("ops@%")), roles(state, "ann"));
    CatalogState altered =
        state.apply(
            new CatalogCommand.AlterAccount(
                Account.of("ann", "%", Credential.old("B"), true, Grants.ALL)));
    assertEquals(roles(state, "ann"), roles(altered, "ann"));
    assertEquals(
        new Roles(Map.of("dev@%", true), Set.of()),
        roles(state.apply(new CatalogCommand.RevokeRoles("ann", "%", Set.of("ops@%"))), "ann"));
    assertEquals(
        new Roles(Map.of("dev@%", true), Set.of()),
        roles(state.apply(new CatalogCommand.DropAccount("ops", "%")), "ann"));
    assertEquals(
        3530, refusal(state, new CatalogCommand.SetDefaultRoles("dev", "%", Set.of("ops@%"))));
    assertEquals(
        3523, refusal(state, new CatalogCommand.GrantRoles("ann", "%", Set.of("x@%"), false)));
    assertEquals(3523, refusal(state, new CatalogCommand.RevokeRoles("x", "%", Set.of("ops@%"))));
  }

  @Test
  void anotherFormOfAPasswordReplacesNoOtherPassword() {
    Credential before = Credential.old("B");
    CatalogState state =
        people()
            .apply(
                new CatalogCommand.AlterAccount(Account.of("ann", "%", before, true, Grants.ALL)));
    Credential salted = Credential.of("x");
    CatalogState replaced =
        state.apply(new CatalogCommand.ReplaceCredential("ann", "%", before, salted));
    Account ann = replaced.catalog().account("ann", "%").orElseThrow();
    assertEquals(salted, ann.credential());
    assertTrue(ann.locked());
    for (String user : List.of("ann", "nobody")) {
      CatalogState late =
          replaced.apply(
              new CatalogCommand.ReplaceCredential(user, "%", before, Credential.of("y")));
      assertEquals(replaced.catalog().accounts(), late.catalog().accounts());
    }
  }

  @Test
  void noRoleHasItself() {
    CatalogState state =
        people()
            .apply(new CatalogCommand.GrantRoles("ann", "%", Set.of("dev@%"), false))
            .apply(new CatalogCommand.GrantRoles("dev", "%", Set.of("ops@%"), false));
    for (String role : List.of("ann@%", "dev@%", "ops@%")) {
      assertEquals(
          4027, refusal(state, new CatalogCommand.GrantRoles("ops", "%", Set.of(role), false)));
    }
  }

  @Test
  void anAccountIsRenamedUnlessItIsARole() {
    CatalogState state =
        people().apply(new CatalogCommand.GrantRoles("ann", "%", Set.of("dev@%"), false));
    CatalogState renamed =
        state.apply(new CatalogCommand.RenameAccount("ann", "%", "eve", "localhost"));
    assertTrue(renamed.catalog().account("ann", "%").isEmpty());
    assertEquals(
        state.catalog().account("ann", "%").orElseThrow().named("eve", "localhost"),
        renamed.catalog().account("eve", "localhost").orElseThrow());
    assertEquals(3532, refusal(state, new CatalogCommand.RenameAccount("dev", "%", "d", "%")));
    assertEquals(1396, refusal(state, new CatalogCommand.RenameAccount("ann", "%", "ops", "%")));
    assertEquals(1396, refusal(state, new CatalogCommand.RenameAccount("x", "%", "y", "%")));
  }

  private static int refusal(CatalogState state, CatalogCommand command) {
    return assertThrows(AlraiException.class, () -> state.apply(command)).errno();
  }

  private static Grants grants(CatalogState state, String user) {
    return state.catalog().account(user, "%").orElseThrow().grants();
  }

  @Test
  void whoMakesARoutineMayCallAndChangeIt() {
    GrantScope scope = GrantScope.ofRoutine(RoutineKind.PROCEDURE, "shop", "pay");
    CatalogState made =
        people()
            .apply(Samples.createSchema("shop"))
            .apply(new CatalogCommand.PutProcedure(Samples.procedure("shop", "Pay"), "ann@%"));
    assertEquals(Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE), grants(made, "ann").at(scope));
    assertEquals(
        made.catalog().accounts(),
        made.apply(new CatalogCommand.PutProcedure(Samples.procedure("shop", "q"), ""))
            .apply(new CatalogCommand.PutFunction(Samples.function("shop", "pay"), "gone@%"))
            .catalog()
            .accounts());
    CatalogState granted =
        made.apply(
                new CatalogCommand.Grant(
                    "dev", "%", GrantChange.of(scope, Set.of(Privilege.GRANT), List.of(), false)))
            .apply(new CatalogCommand.PutFunction(Samples.function("shop", "PAY"), "dev@%"));
    CatalogState kept = granted.apply(new CatalogCommand.DropProcedure("shop", "PAY", false));
    assertEquals(granted.catalog().accounts(), kept.catalog().accounts());
    CatalogState dropped = granted.apply(new CatalogCommand.DropProcedure("shop", "PAY", true));
    assertEquals(Grants.NONE, grants(dropped, "ann"));
    assertEquals(Set.of(), grants(dropped, "dev").at(scope));
    assertEquals(
        Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE),
        grants(dropped, "dev").at(GrantScope.ofRoutine(RoutineKind.FUNCTION, "shop", "pay")));
    assertEquals(
        Grants.NONE,
        grants(dropped.apply(new CatalogCommand.DropFunction("shop", "Pay", true)), "dev"));
  }
}
