package io.alrai.cn.settings;

import io.alrai.cn.tls.EndpointTls;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a CN says of TLS in system variables, and what it demands of those who log in. The variables
 * that only say what was given at the start cannot be set. Thread-safe.
 */
public final class SecureTransport {
  /** Whether clients without TLS are refused. */
  public static final String REQUIRED = "require_secure_transport";

  private static final String TLS_VERSION = "tls_version";

  private final Optional<EndpointTls> tls;
  private final Map<String, String> texts;
  private final boolean nativePasswords;
  private volatile boolean required;

  /**
   * The transport of one CN.
   *
   * @param tls what its endpoint has, if it has any
   * @param required whether clients without are refused from the start
   * @param nativePasswords whether there are accounts of mysql_native_password
   */
  public SecureTransport(Optional<EndpointTls> tls, boolean required, boolean nativePasswords) {
    this.tls = tls;
    this.nativePasswords = nativePasswords;
    this.required = required;
    this.texts =
        Map.of(
            "ssl_ca",
            tls.flatMap(EndpointTls::authority).map(Path::toString).orElse(""),
            "ssl_cert",
            tls.map(known -> known.certificate().toString()).orElse(""),
            "ssl_key",
            tls.map(known -> known.key().toString()).orElse(""),
            TLS_VERSION,
            tls.map(EndpointTls::versions).orElse(""));
  }

  /** What the endpoint has. */
  public Optional<EndpointTls> tls() {
    return tls;
  }

  /** Whether there are accounts of mysql_native_password, whose clients prove with SHA-1. */
  public boolean nativePasswords() {
    return nativePasswords;
  }

  /** Whether clients without TLS are refused. */
  public boolean required() {
    return required;
  }

  /**
   * Sets {@value #REQUIRED}.
   *
   * @throws AlraiException 3160 when it is ON and there is no TLS: nobody could log in any more
   */
  public void required(boolean on) {
    if (on && tls.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_NO_SECURE_TRANSPORTS_CONFIGURED,
          "No secure transports (SSL or Shared Memory) are configured, unable to set"
              + " --require_secure_transport=ON");
    }
    required = on;
  }

  /**
   * A client has logged in.
   *
   * @param encrypted whether its connection has TLS
   * @throws AlraiException 3159 when it must have, and has not
   */
  public void demand(boolean encrypted) {
    if (required && !encrypted) {
      throw new AlraiException(
          ErrorCode.ER_SECURE_TRANSPORT_REQUIRED,
          "Connections using insecure transport are prohibited while"
              + " --require_secure_transport=ON.");
    }
  }

  /** The values of those that cannot be set, by name. */
  public Map<String, String> texts() {
    return texts;
  }
}
