package io.alrai.cn.session;

import io.alrai.cn.compress.Compression;
import io.alrai.cn.protocol.ClientCapabilities;
import io.alrai.cn.tls.Encryption;
import io.alrai.common.wire.Capability;
import io.alrai.dn.link.BackendAccount;

/** The connection of a session's client: what the client can, and how it came. */
public final class SessionClient {
  private final String serverVersion;
  private final int port;
  private final int connectionId;
  private final ClientCapabilities capabilities;
  private final long connectedMillis;
  private boolean multiStatements;
  private Encryption encryption = Encryption.NONE;
  private int clientPort;
  private Compression compression = Compression.NONE;

  /**
   * A connection that has just logged in.
   *
   * @param serverVersion as the greeting said it
   * @param port where the client connected
   * @param nowMillis since 1970
   */
  public SessionClient(
      String serverVersion,
      int port,
      int connectionId,
      ClientCapabilities capabilities,
      long nowMillis) {
    this.serverVersion = serverVersion;
    this.port = port;
    this.connectionId = connectionId;
    this.capabilities = capabilities;
    this.connectedMillis = nowMillis;
    this.multiStatements = capabilities.has(Capability.MULTI_STATEMENTS);
  }

  /** The port that the client has; 0 when it is not known. */
  public int clientPort() {
    return clientPort;
  }

  /** {@code VERSION()}. */
  public String serverVersion() {
    return serverVersion;
  }

  /** {@code @@port}: where the client connected. */
  public int port() {
    return port;
  }

  /** {@code CONNECTION_ID()}. */
  public int connectionId() {
    return connectionId;
  }

  /** What the client can. */
  public ClientCapabilities capabilities() {
    return capabilities;
  }

  /** Whether one text may hold several statements. */
  public boolean multiStatements() {
    return multiStatements;
  }

  public void multiStatements(boolean on) {
    multiStatements = on;
  }

  /** How its connection is encrypted. */
  public Encryption encryption() {
    return encryption;
  }

  /** Records how the connection is encrypted; once, before the first statement. */
  public void encryption(Encryption known) {
    encryption = known;
  }

  /** Records the port that the client has, where it is known; once, before the first statement. */
  public void clientPort(int known) {
    clientPort = known;
  }

  /** How the client's packets are compressed. */
  public Compression compression() {
    return compression;
  }

  /** Records what was agreed on; once, before the first statement. */
  public void compression(Compression agreed) {
    compression = agreed;
  }

  /** When it connected, milliseconds since 1970. */
  public long connectedMillis() {
    return connectedMillis;
  }

  /** Under which account of the mysqlds its statements run. */
  public BackendAccount account() {
    return capabilities.has(Capability.FOUND_ROWS)
        ? BackendAccount.DATA_FOUND_ROWS
        : BackendAccount.DATA;
  }
}
