package io.alrai.common.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListenPortsTest {
  @Test
  void freePortsCanBeListenedOnAndAreNotThoseOfOutgoingConnections() throws IOException {
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      int port = ListenPorts.free();
      seen.add(port);
      assertTrue(port > 1023 && port < 32768, "port " + port);
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
    assertTrue(seen.size() > 40, "always the same: " + seen);
  }

  @Test
  void noPortIsGivenTwice() throws IOException {
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      int port = ListenPorts.free();
      assertTrue(given.add(port), () -> port + " came twice");
    }
  }
}
