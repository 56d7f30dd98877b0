package io.alrai.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class TpchEndpointTest {
  @Test
  void readsTheAddressThatTheLauncherPrints() {
    TpchEndpoint endpoint = TpchEndpoint.parse("mysql://root@127.0.0.1:8527/");
    assertEquals("127.0.0.1:8527", endpoint.host());
    assertEquals("root", endpoint.user());
    assertEquals("", endpoint.password());
    assertEquals("tpch", endpoint.database());
    assertEquals("DISABLED", endpoint.properties().get("sslMode"));
  }

  @Test
  void readsJdbcAddressesWithProperties() {
    TpchEndpoint endpoint =
        TpchEndpoint.parse(
            "jdbc:mysql://db.example/shop?user=me&password=a%26b&useServerPrepStmts=true&sslMode=REQUIRED");
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
    TpchEndpoint endpoint = TpchEndpoint.parse("mysql://me:secret@h:1/x?useServerPrepStmts=true");
    assertEquals("secret", endpoint.password());
    assertEquals("mysql://me@h:1/x?useServerPrepStmts=true", endpoint.toString());
  }

  @Test
  void refusesOtherAddresses() {
    assertThrows(IllegalArgumentException.class, () -> TpchEndpoint.parse("http://h/"));
    assertThrows(IllegalArgumentException.class, () -> TpchEndpoint.parse("127.0.0.1:3306"));
    assertThrows(IllegalArgumentException.class, () -> TpchEndpoint.parse("mysql:///x"));
  }
}
