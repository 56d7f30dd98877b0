package io.alrai.common.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostPortTest {
  @Test
  void formsThatAreTaken() {
    assertEquals(new HostPort("db-1.example", 8527), HostPort.parse("db-1.example:8527"));
    assertEquals(new HostPort("10.0.0.1", 0), HostPort.parse("10.0.0.1:0"));
    assertEquals("[::1]:65535", HostPort.parse("[::1]:65535").toString());
    assertEquals(
        "::1",
        HostPort.parse("[::1]:1")
            .resolved()
            .getAddress()
            .getHostAddress()
            .replace("0:0:0:0:0:0:0:1", "::1"));
    assertEquals(new HostPort("0:0:0:0:0:0:0:1", 8527), HostPort.parse("0:0:0:0:0:0:0:1:8527"));
    assertEquals(
        "db-1.invalid:8527",
        HostPort.of(HostPort.parse("db-1.invalid:8527").unresolved()).toString());
    assertTrue(HostPort.parse("nowhere.invalid:1").unresolved().isUnresolved());
  }

  @Test
  void othersAreRefusedInASentence() {
    for (String text :
        List.of(
            "",
            "host",
            "host:",
            ":1",
            "host:x",
            "host:-1",
            "host:65536",
            "host:+8",
            "a b:1",
            "a,b:1",
            "a@b:1",
            "a/b:1",
            "a:1 ")) {
      AlraiException refusal = assertThrows(AlraiException.class, () -> HostPort.parse(text), text);
      assertEquals(ErrorCode.ER_WRONG_VALUE_FOR_VAR.errno(), refusal.errno());
      assertEquals("not an address of the form HOST:PORT: " + text, refusal.sentence());
    }
  }
}
