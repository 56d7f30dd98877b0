package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.metrics.Metrics;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.AccountLimits;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PasswordRules;
import io.alrai.gms.api.Roles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PasswordDialogTest {
  private final Map<String, Account> accounts = new HashMap<>();
  private final List<CatalogCommand> changes = new ArrayList<>();
  private final LoginCounts counts = LoginCounts.of(new Metrics());
  private long nowMillis;
  private Authentication authentication = authentication(false);

  private Authentication authentication(boolean nativePasswords) {
    return new Authentication(
        this::catalog, () -> nowMillis, nativePasswords, Runnable::run, changes::add, counts);
  }

  private Catalog catalog() {
    return new Catalog(1, Map.of(), List.of(), List.of(), Map.copyOf(accounts), Map.of(), Map.of());
  }

  private void put(String user, Credential credential) {
    put(Account.of(user, "%", credential, false, Grants.NONE));
  }

  private void put(Account account) {
    accounts.put(account.key(), account);
  }

  private ScriptedClient login(String password, boolean encrypted) {
    return new ScriptedClient(authentication, "ann", password).login(encrypted);
  }

  private static Credential old(String password) {
    return Credential.old(
        Scramble.digest(Scramble.SHA2, password.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void thePasswordIsAskedForOnce() {
    put("ann", Credential.of("pässwörd"));
    assertEquals(List.of("password", "ok"), login("pässwörd", true).heard);
    assertEquals(List.of("proved"), login("pässwörd", true).heard);
    assertEquals(List.of("proved"), login("pässwörd", false).heard);
    assertEquals(1, counts.passwords().sum());
    authentication.forget();
    assertEquals(List.of("password", "key", "ok"), login("pässwörd", false).heard);
    assertEquals(List.of("proved"), login("pässwörd", false).heard);
    assertTrue(changes.isEmpty());
  }

  /** It asks as others do that log in at the same time. */
  @Test
  void aPasswordThatIsKnownByNowIsNotHashedAgain() {
    put("ann", Credential.of("x"));
    ScriptedClient client = new ScriptedClient(authentication, "ann", "x");
    PasswordDialog dialog =
        new PasswordDialog(authentication, new LoginAttempt("ann", "10.0.0.1", true, true), client);
    dialog.begin(Scramble.SHA2, true, Nonces.next(), new byte[32]);
    login("x", true);
    dialog.answer(new byte[] {'x', 0});
    assertEquals(0, client.errno());
    assertEquals(1, counts.passwords().sum());
  }

  @Test
  void aWrongPasswordIsRefusedWhateverIsKnown() {
    put("ann", Credential.of("right"));
    for (int i = 0; i < 2; i++) {
      for (boolean encrypted : List.of(true, false)) {
        ScriptedClient wrong = login("wrong", encrypted);
        assertEquals(1045, wrong.errno());
        assertEquals(encrypted ? List.of("password") : List.of("password", "key"), wrong.heard);
        assertEquals(1045, login("", encrypted).errno());
        assertEquals(1045, login("x".repeat(60), encrypted).errno());
      }
      assertEquals(0, login("right", true).errno());
    }
  }

  @Test
  void aChangeOfTheAccountIsAnotherPassword() {
    put("ann", Credential.of("x"));
    login("x", true);
    put("ann", Credential.of("y"));
    assertEquals(1045, login("x", true).errno());
    assertEquals(List.of("password", "ok"), login("y", true).heard);
    accounts.clear();
    authentication.follow(catalog());
    assertEquals(1045, login("y", true).errno());
    put("ann", Credential.of("y"));
    assertEquals(List.of("password", "ok"), login("y", true).heard);
    put(Account.of("ann", "%", Credential.of("y"), true, Grants.NONE));
    assertEquals(3118, login("y", true).errno());
  }

  /** The account is changed between the question for the password and its answer. */
  @Test
  void aPasswordThatIsChangedMeanwhileIsNotTaken() {
    put("ann", Credential.of("x"));
    ScriptedClient client = new ScriptedClient(authentication, "ann", "x");
    PasswordDialog dialog =
        new PasswordDialog(authentication, new LoginAttempt("ann", "10.0.0.1", true, true), client);
    byte[] nonce = Nonces.next();
    byte[] password = "x".getBytes(StandardCharsets.US_ASCII);
    dialog.begin(Scramble.SHA2, true, nonce, Scramble.proof(Scramble.SHA2, password, nonce));
    put("ann", Credential.of("y"));
    dialog.answer(password);
    assertEquals(1045, client.errno());
    assertNull(client.identity);
  }

  @Test
  void nobodyKnowsWhetherThereIsSuchAUser() {
    put("ann", Credential.of("x"));
    put("bob", Credential.NONE);
    for (String user : List.of("ann", "bob", "eve")) {
      ScriptedClient client = new ScriptedClient(authentication, user, "wrong").login(true);
      assertEquals(List.of("password"), client.heard);
      assertEquals(
          "Access denied for user '" + user + "'@'10.0.0.1' (using password: YES)",
          client.reason.sentence());
      ScriptedClient plain = new ScriptedClient(authentication, user, "wrong").login(false);
      assertEquals(List.of("password", "key"), plain.heard);
    }
    assertEquals(6, counts.passwords().sum());
    assertEquals(List.of("ok"), new ScriptedClient(authentication, "bob", "").login(false).heard);
  }

  @Test
  void passwordsOfOlderVersionsGetTheirSaltWithinTls() {
    put("ann", old("x"));
    assertEquals(List.of("proved"), login("x", false).heard);
    assertEquals(List.of("password", "key"), login("y", false).heard);
    assertEquals(1045, login("y", true).errno());
    assertTrue(changes.isEmpty());
    assertEquals(List.of("password", "ok"), login("x", true).heard);
    CatalogCommand.ReplaceCredential change = (CatalogCommand.ReplaceCredential) changes.getFirst();
    assertEquals(old("x"), change.from());
    assertTrue(change.to().text().startsWith("$A$00A$"), change.to().text());
    put("ann", change.to());
    assertEquals(List.of("proved"), login("x", true).heard);
    authentication.forget();
    assertEquals(1045, login("y", true).errno());
    assertEquals(List.of("password", "ok"), login("x", true).heard);
    put("ann", Credential.old(""));
    assertEquals(List.of("ok"), login("", true).heard);
  }

  @Test
  void sha1ProvesOnlyWhatWasMadeForItAndOnlyWhereItIsOn() {
    put("ann", Credential.of(Scramble.NATIVE, "x"));
    put("bob", Credential.of("x"));
    ScriptedClient off = login("x", true);
    assertEquals(1524, off.errno());
    assertEquals("Plugin 'mysql_native_password' is not loaded", off.reason.sentence());
    authentication = authentication(true);
    assertEquals(
        List.of("ok"),
        new ScriptedClient(authentication, "ann", "x").login("h", false, Scramble.NATIVE).heard);
    assertEquals(List.of("mysql_native_password", "ok"), login("x", false).heard);
    assertEquals(1045, login("y", false).errno());
    assertEquals(
        List.of("caching_sha2_password", "password", "key", "ok"),
        new ScriptedClient(authentication, "bob", "x").login("h", false, Scramble.NATIVE).heard);
  }

  @Test
  void aClientThatKnowsOnePluginOnlyIsToldSo() {
    put("ann", Credential.of("x"));
    put("bob", Credential.NONE);
    assertEquals(1251, begun("ann", new byte[20]).errno());
    assertEquals(1251, begun("nobody", new byte[20]).errno());
    assertEquals(0, begun("bob", new byte[0]).errno());
  }

  private ScriptedClient begun(String user, byte[] proof) {
    ScriptedClient client = new ScriptedClient(authentication, user, "");
    new PasswordDialog(authentication, new LoginAttempt(user, "h", true, true), client)
        .begin(Scramble.NATIVE, false, Nonces.next(), proof);
    return client;
  }

  @Test
  void anAccountMayNeedTls() {
    put(
        new Account(
            "ann",
            "%",
            Credential.of("x"),
            true,
            false,
            Grants.NONE,
            Roles.NONE,
            PasswordRules.NONE,
            AccountLimits.NONE));
    ScriptedClient plain = login("x", false);
    assertEquals(
        "Access denied for user 'ann'@'10.0.0.1' (using password: YES)", plain.reason.sentence());
    assertEquals(0, login("x", true).errno());
  }

  @Test
  void manyWrongPasswordsWaitForTheirAnswer() {
    put("ann", Credential.of("x"));
    for (String user : List.of("ann", "nobody")) {
      for (long expected : List.of(0, 0, 0, 1000, 2000)) {
        ScriptedClient client = new ScriptedClient(authentication, user, "y").login(true);
        assertEquals(expected, client.waitedMillis);
        assertEquals(1045, client.errno());
      }
    }
    ScriptedClient other =
        new ScriptedClient(authentication, "ann", "x").login("10.0.0.2", true, Scramble.SHA2);
    assertEquals(0, other.waitedMillis);
    ScriptedClient right = login("x", true);
    assertEquals(3000, right.waitedMillis);
    assertEquals(0, right.errno());
    assertEquals(0, login("x", true).waitedMillis);
    assertEquals(5, counts.delayed().sum());
  }

  @Test
  void aPasswordThatIsChangedWhileItsAnswerWaitsIsNotTaken() {
    put("ann", Credential.of("x"));
    for (int i = 0; i < 4; i++) {
      login("y", true);
    }
    ScriptedClient client = new ScriptedClient(authentication, "ann", "x");
    client.meanwhile = () -> put("ann", Credential.of("z"));
    client.login(true);
    assertEquals(2000, client.waitedMillis);
    assertEquals(1045, client.errno());
  }

  /** Logins that were begun before the account was locked. */
  @Test
  void theRightPasswordAfterTooManyWrongOnesIsRefused() {
    put(locking());
    List<PasswordDialog> begun = new ArrayList<>();
    List<ScriptedClient> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ScriptedClient client = new ScriptedClient(authentication, "ann", "");
      PasswordDialog dialog =
          new PasswordDialog(
              authentication, new LoginAttempt("ann", "10.0.0." + i, true, true), client);
      dialog.begin(Scramble.SHA2, true, Nonces.next(), new byte[32]);
      begun.add(dialog);
      clients.add(client);
    }
    begun.get(0).answer("a".getBytes(StandardCharsets.US_ASCII));
    begun.get(1).answer("b".getBytes(StandardCharsets.US_ASCII));
    begun.get(2).answer("x".getBytes(StandardCharsets.US_ASCII));
    assertEquals(List.of(1045, 3955, 3955), clients.stream().map(ScriptedClient::errno).toList());
  }

  /** The question for the password says that the proof was wrong, or not known. */
  @Test
  void whoLeavesWhenAskedForThePasswordHasGivenAWrongOne() {
    put("ann", Credential.of("x"));
    login("x", true);
    for (String user : List.of("ann", "nobody")) {
      for (int i = 0; i < 3; i++) {
        assertEquals(0, leaves(user));
      }
      assertEquals(1000, leaves(user));
    }
    ScriptedClient right = login("x", true);
    assertEquals(2000, right.waitedMillis);
    assertEquals(List.of("proved"), right.heard);
  }

  @Test
  void leavingLocksOnlyWhereTheProofWasWrong() {
    put(locking());
    for (int i = 0; i < 3; i++) {
      leaves("ann");
    }
    assertEquals(0, login("x", true).errno());
    leaves("ann");
    leaves("ann");
    assertEquals(3955, login("x", true).errno());
  }

  private long leaves(String user) {
    ScriptedClient client = new ScriptedClient(authentication, user, "");
    PasswordDialog dialog =
        new PasswordDialog(authentication, new LoginAttempt(user, "10.0.0.1", true, true), client);
    dialog.begin(Scramble.SHA2, true, Nonces.next(), new byte[32]);
    dialog.left();
    return client.waitedMillis;
  }

  private static Account locking() {
    return Account.of("ann", "%", Credential.of("x"), false, Grants.NONE)
        .with(new PasswordRules(false, PasswordRules.UNBOUNDED, 0, 2, 1, 0));
  }

  @Test
  void aPacketOutOfTurnEndsIt() {
    put("ann", Credential.of("x"));
    ScriptedClient client = new ScriptedClient(authentication, "ann", "x");
    PasswordDialog dialog =
        new PasswordDialog(authentication, new LoginAttempt("ann", "h", true, true), client);
    dialog.answer(new byte[] {1});
    assertEquals(1043, client.errno());
    assertFalse(dialog.busy());
    assertArrayEquals(new String[0], client.heard.toArray());
  }
}
