package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientHostsTest {
  @ParameterizedTest
  @CsvSource({
    "%, 10.0.0.1, true",
    "10.0.0._, 10.0.0.1, true",
    "10.0.0._, 10.0.0.12, false",
    "10.%.1, 10.0.0.1, true",
    "10.%.1%, 10.0.0.12, true",
    "10.%.2, 10.0.0.1, false",
    "%%, ::1, true",
    "10.0.0.1, 10.0.0.1, true",
    "10.0.0.1, 10a0.0.1, false",
    "10.0.0.1%%, 10.0.0.1, true",
    "localhost, 127.0.0.1, true",
    "localhost, ::1, true",
    "localhost, 0:0:0:0:0:0:0:1, true",
    "localhost, 10.0.0.1, false"
  })
  void patterns(String pattern, String host, boolean expected) {
    assertEquals(expected, ClientHosts.matches(pattern, host));
  }

  /** An account's host cannot hold an event loop up. */
  @Test
  void manyWildcards() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> assertFalse(ClientHosts.matches("%1".repeat(120) + "x", "1".repeat(250))));
  }

  @Test
  void loopback() {
    for (String host : List.of("127.0.0.1", "127.1.2.3", "::1", "localhost")) {
      assertEquals(true, ClientHosts.isLoopback(host), host);
    }
    for (String host : List.of("10.0.0.1", "0.0.0.0", "::", "2001:db8::1", "", "127.0.0.1.evil")) {
      assertFalse(ClientHosts.isLoopback(host), host);
    }
  }
}
