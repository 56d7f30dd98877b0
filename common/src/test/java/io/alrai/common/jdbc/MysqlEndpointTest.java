package io.alrai.common.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MysqlEndpointTest {
  @Test
  void readsTheAddressThatTheLauncherPrints() {
    MysqlEndpoint endpoint = MysqlEndpoint.parse("mysql://root@127.0.0.1:8527/", "tpcc");
    assertEquals("127.0.0.1:8527", endpoint.host());
    assertEquals("root", endpoint.user());
    assertEquals("", endpoint.password());
    assertEquals("tpcc", endpoint.database());
    assertEquals("DISABLED", endpoint.properties().get("sslMode"));
  }

  @Test
  void readsJdbcAddressesWithProperties() {
    MysqlEndpoint endpoint =
        MysqlEndpoint.parse(
            "jdbc:mysql://db.example/shop?user=me&password=a%26b&useServerPrepStmts=true&sslMode=REQUIRED",
            "tpcc");
    assertEquals("db.example:3306", endpoint.host());
    assertEquals("shop", endpoint.database());
    assertEquals("me", endpoint.user());
    assertEquals("a&b", endpoint.password());
    assertEquals("true", endpoint.properties().get("useServerPrepStmts"));
    assertEquals("REQUIRED", endpoint.properties().get("sslMode"));
    assertFalse(endpoint.properties().containsKey("password"));
  }

  @Test
  void neverShowsThePassword() {
    MysqlEndpoint endpoint =
        MysqlEndpoint.parse("mysql://me:secret@h:1/x?useServerPrepStmts=true", "tpcc");
    assertEquals("secret", endpoint.password());
    assertEquals("mysql://me@h:1/x?useServerPrepStmts=true", endpoint.toString());
  }

  /** With what cannot stand in an address as percent and two digits. */
  @Test
  void takesAnyName() {
    for (String name :
        List.of(
            "a_b",
            "%x",
            "a`b",
            "it's",
            "\"",
            ";",
            "two words",
            "a+b",
            "a/b",
            "a?b#c",
            "ä東",
            ":@")) {
      String encoded = MysqlEndpoint.encode(name);
      MysqlEndpoint endpoint =
          MysqlEndpoint.parse("mysql://" + encoded + ":" + encoded + "@h:1/" + encoded, "tpcc");
      assertEquals(name, endpoint.user());
      assertEquals(name, endpoint.password());
      assertEquals(name, endpoint.database());
      assertEquals("mysql://" + encoded + "@h:1/" + encoded, endpoint.toString());
      assertEquals("jdbc:mysql://h:1/" + encoded, endpoint.jdbcUrl(name));
    }
    assertEquals("a+b", MysqlEndpoint.parse("mysql://h/a+b?user=c", "").database());
    assertEquals("a+b", MysqlEndpoint.parse("mysql://a+b:c+d@h/", "").user());
    assertEquals("c+d", MysqlEndpoint.parse("mysql://a+b:c+d@h/", "").password());
  }

  @Test
  void refusesOtherAddresses() {
    assertThrows(IllegalArgumentException.class, () -> MysqlEndpoint.parse("http://h/", "tpcc"));
    assertThrows(
        IllegalArgumentException.class, () -> MysqlEndpoint.parse("127.0.0.1:3306", "tpcc"));
    assertThrows(IllegalArgumentException.class, () -> MysqlEndpoint.parse("mysql:///x", "tpcc"));
  }

  @Test
  void aPasswordMayComeFromTheEnvironment() {
    Map<String, String> environment = Map.of("MYSQL_PWD", "of it");
    String plain = "mysql://ann@h/d";
    assertEquals("of it", MysqlEndpoint.parse(plain, "", environment).password());
    assertFalse(MysqlEndpoint.parse(plain, "", environment).properties().containsKey("password"));
    assertEquals("", MysqlEndpoint.parse(plain, "", Map.of()).password());
    for (String given : List.of("mysql://ann:own@h/d", "mysql://h/d?user=ann&password=own")) {
      assertEquals("own", MysqlEndpoint.parse(given, "", environment).password());
    }
  }
}
