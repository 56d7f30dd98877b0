package io.alrai.dn.mysqld;

/**
 * Where a mysqld listens for TCP connections besides its socket.
 *
 * @param bindAddress an address of this machine, 127.0.0.1 for example
 * @param port 1 to 65535
 */
public record TcpEndpoint(String bindAddress, int port) {
  /** Checks the range. */
  public TcpEndpoint {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("no TCP port: " + port);
    }
  }

  /** On this machine only. */
  public static TcpEndpoint loopback(int port) {
    return new TcpEndpoint("127.0.0.1", port);
  }
}
