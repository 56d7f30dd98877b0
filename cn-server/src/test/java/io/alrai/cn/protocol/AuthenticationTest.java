package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PasswordRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AuthenticationTest {
  private static final String RIGHT = "";
  private static final String WRONG = "x";

  private Catalog catalog = catalog(PasswordRules.NONE);
  private long nowMillis;
  private final Authentication authentication =
      new Authentication(
          () -> catalog,
          () -> nowMillis,
          false,
          Runnable::run,
          command -> {},
          LoginCounts.of(new Metrics()));

  private static Catalog catalog(PasswordRules rules) {
    Account ann = Account.of("ann", "%", Credential.NONE, false, Grants.ALL).with(rules);
    return new Catalog(
        1, Map.of(), List.of(), List.of(), Map.of(ann.key(), ann), Map.of(), Map.of());
  }

  private ClientIdentity login(String user, String host, String password, boolean changesExpired) {
    ScriptedClient client = new ScriptedClient(authentication, user, password);
    client.changesExpired = changesExpired;
    client.login(host, true, Scramble.SHA2);
    if (client.reason != null) {
      throw client.reason;
    }
    return client.identity;
  }

  private ClientIdentity login(String password, boolean changesExpired) {
    return login("ann", "10.0.0.1", password, changesExpired);
  }

  private AlraiException refused(String password) {
    return assertThrows(AlraiException.class, () -> login(password, true));
  }

  @Test
  void rootWithoutAPasswordIsOfThisMachine() {
    Map<String, Account> roots = new HashMap<>();
    for (Account root :
        List.of(
            Account.of("root", "%", Credential.NONE, false, Grants.ALL),
            Account.of("root", "10.0.0.2", Credential.old("AB"), false, Grants.ALL))) {
      roots.put(root.key(), root);
    }
    catalog = new Catalog(1, Map.of(), List.of(), List.of(), roots, Map.of(), Map.of());
    for (String near : List.of("127.0.0.1", "127.0.0.2", "0:0:0:0:0:0:0:1", "localhost")) {
      assertEquals("root", root(near).user());
    }
    for (String far : List.of("10.0.0.1", "2001:db8::1", "192.168.1.1")) {
      AlraiException denied = assertThrows(AlraiException.class, () -> root(far));
      assertEquals(1045, denied.errno());
      assertTrue(denied.sentence().contains("ALTER USER root"), denied::sentence);
    }
    AlraiException wrong = assertThrows(AlraiException.class, () -> root("10.0.0.2"));
    assertFalse(wrong.sentence().contains("ALTER USER root"), wrong::sentence);
  }

  private ClientIdentity root(String host) {
    return login("root", host, RIGHT, true);
  }

  @Test
  void anExpiredPasswordIsToBeChanged() {
    assertFalse(login(RIGHT, false).access().expired());
    catalog = catalog(new PasswordRules(true, -1, 0, 0, 0, 0));
    assertTrue(login(RIGHT, true).access().expired());
    assertFalse(login(RIGHT, true).access().everything());
    assertEquals(1862, assertThrows(AlraiException.class, () -> login(RIGHT, false)).errno());
    assertEquals(1045, refused(WRONG).errno());
    assertFalse(login(RIGHT, true).access().renewed(catalogAt(2, PasswordRules.NONE)).expired());
  }

  private static Catalog catalogAt(long version, PasswordRules rules) {
    Catalog one = catalog(rules);
    return new Catalog(version, Map.of(), List.of(), List.of(), one.accounts(), Map.of(), Map.of());
  }

  @Test
  void aPasswordGrowsOld() {
    catalog = catalog(new PasswordRules(false, 2, 1000, 0, 0, 0));
    nowMillis = 999 + TimeUnit.DAYS.toMillis(2);
    assertFalse(login(RIGHT, true).access().expired());
    nowMillis++;
    assertTrue(login(RIGHT, true).access().expired());
  }

  @Test
  void tooManyWrongPasswordsLockForSomeDays() {
    catalog = catalog(new PasswordRules(false, -1, 0, 2, 3, 0));
    assertEquals(1045, refused(WRONG).errno());
    login(RIGHT, true);
    assertEquals(1045, refused(WRONG).errno());
    assertEquals(
        "Access denied for user 'ann'@'10.0.0.1'. Account is blocked for 3 day(s) (3 day(s)"
            + " remaining) due to 2 consecutive failed logins.",
        refused(WRONG).sentence());
    nowMillis = TimeUnit.DAYS.toMillis(2);
    assertEquals(
        "Access denied for user 'ann'@'10.0.0.1'. Account is blocked for 3 day(s) (1 day(s)"
            + " remaining) due to 2 consecutive failed logins.",
        refused(RIGHT).sentence());
    nowMillis = TimeUnit.DAYS.toMillis(3);
    login(RIGHT, true);
  }

  @Test
  void anAccountIsUnlockedBySayingSo() {
    catalog = catalog(new PasswordRules(false, -1, 0, 1, PasswordRules.UNBOUNDED, 0));
    assertEquals(3955, refused(WRONG).errno());
    nowMillis = TimeUnit.DAYS.toMillis(9999);
    assertTrue(refused(RIGHT).sentence().contains("unlimited day(s) (unlimited day(s) remaining)"));
    catalog = catalog(new PasswordRules(false, -1, 0, 1, PasswordRules.UNBOUNDED, 1));
    login(RIGHT, true);
  }
}
