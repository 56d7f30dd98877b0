package io.alrai.cn.admin;

import io.alrai.cn.protocol.LoginCounts;
import io.alrai.cn.session.CnVariables;
import io.alrai.cn.session.CompletionType;
import io.alrai.cn.session.GlobalVariables;
import io.alrai.cn.session.Idleness;
import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.SecureTransport;
import io.alrai.cn.session.Session;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.cn.variable.KnownVariables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the CN has in place of the mysqld's values in the rows of SHOW VARIABLES and SHOW STATUS:
 * its own version, port and login counts, its TLS, and the session's TLS and compression.
 */
final class OwnValues {
  private final LoginCounts logins;

  OwnValues(LoginCounts logins) {
    this.logins = logins;
  }

  /**
   * The values by the names that the mysqld has for them.
   *
   * @param global whether global values are wanted, not the session's; what is ON or OFF may be 1
   *     or 0
   */
  Map<String, String> of(Session session, boolean global) {
    SecureTransport transport = session.transport();
    Map<String, String> own = new HashMap<>(transport.texts());
    if (global) {
      own.putAll(session.globals().texts());
    } else {
      own.put("autocommit", onOrOff(session.autocommit()));
      List.of(Idleness.WAIT_TIMEOUT, Idleness.INTERACTIVE_TIMEOUT)
          .forEach(name -> own.put(name, Long.toString(session.idleness().bound(name))));
      own.put("transaction_read_only", onOrOff(session.readOnly()));
      own.put(CompletionType.NAME, session.own().completion().name());
      session.own().kept().forEach((name, literal) -> own.put(name, GlobalVariables.text(literal)));
      own.put(CnVariables.INSERT_ID, Long.toUnsignedString(session.own().insertId()));
    }
    own.put(GlobalVariables.MAX_CONNECTIONS, Integer.toString(session.globals().maxConnections()));
    if (!CnVariables.seesServers(session)) {
      KnownVariables.hidden().forEach(name -> own.put(name, ""));
    }
    own.put("version", session.serverVersion());
    own.put("version_comment", OwnVariables.VERSION_COMMENT);
    own.put("port", Integer.toString(session.port()));
    own.put(SecureTransport.REQUIRED, onOrOff(transport.required()));
    transport.texts().forEach((name, value) -> own.put(status(name), value));
    own.put("Aborted_connects", Long.toString(logins.aborted().sum()));
    own.put("Ssl_accepts", Long.toString(logins.tlsAccepts().sum()));
    own.put("Ssl_finished_accepts", Long.toString(logins.tlsFinishedAccepts().sum()));
    own.put("Compression", onOrOff(session.compression().on()));
    own.put("Compression_algorithm", session.compression().algorithm());
    own.put("Compression_level", Integer.toString(session.compression().level()));
    own.put("Ssl_version", session.encryption().version());
    own.put("Ssl_cipher", session.encryption().cipher());
    boolean encrypted = session.encryption().on();
    own.put(
        "Ssl_cipher_list",
        transport.tls().filter(it -> encrypted).map(EndpointTls::ciphers).orElse(""));
    own.put("Ssl_server_not_before", transport.tls().map(EndpointTls::validFrom).orElse(""));
    own.put("Ssl_server_not_after", transport.tls().map(EndpointTls::validUntil).orElse(""));
    return own;
  }

  /** {@code ssl_ca} is {@code Current_tls_ca} among the status variables. */
  private static String status(String variable) {
    return "Current_tls_" + variable.substring("ssl_".length());
  }

  private static String onOrOff(boolean on) {
    return on ? "ON" : "OFF";
  }
}
