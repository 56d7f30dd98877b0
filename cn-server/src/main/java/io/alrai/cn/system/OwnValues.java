package io.alrai.cn.system;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.slowlog.SlowLogSettings;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.common.net.HostName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the CN has in place of the mysqld's values in the rows of SHOW VARIABLES: its own version,
 * host, port and TLS, and what sessions and the GMS keep. Stateless.
 */
public final class OwnValues {
  private OwnValues() {}

  /**
   * The values by the names that the mysqld has for them.
   *
   * @param global whether global values are wanted, not the session's; what is ON or OFF may be 1
   *     or 0
   */
  public static Map<String, String> of(Session session, boolean global) {
    SecureTransport transport = session.cnSettings().transport();
    Map<String, String> own = new HashMap<>(transport.texts());
    if (global) {
      own.putAll(session.cnSettings().globals().texts());
    } else {
      own.put("autocommit", onOrOff(session.defaults().autocommit()));
      List.of(Idleness.WAIT_TIMEOUT, Idleness.INTERACTIVE_TIMEOUT)
          .forEach(name -> own.put(name, Long.toString(session.idleness().bound(name))));
      own.put("transaction_read_only", onOrOff(session.defaults().readOnly()));
      own.put(CompletionType.NAME, session.own().completion().name());
      session.own().kept().forEach((name, literal) -> own.put(name, GlobalVariables.text(literal)));
      own.put(GlobalVariables.MAX_USER_CONNECTIONS, Long.toString(session.maxUserConnections()));
      own.put(CnVariables.INSERT_ID, Long.toUnsignedString(session.own().insertId()));
    }
    own.put(
        GlobalVariables.MAX_CONNECTIONS,
        Integer.toString(session.cnSettings().globals().maxConnections()));
    own.put(SlowLogSettings.FILE, session.cnSettings().slowLogFile());
    if (!CnVariables.seesServers(session.user().access())) {
      KnownVariables.hidden().forEach(name -> own.put(name, ""));
    }
    own.put("version", session.client().serverVersion());
    own.put("version_comment", OwnVariables.VERSION_COMMENT);
    own.put("hostname", HostName.own());
    own.put("server_id", Long.toString(OwnVariables.SERVER_ID));
    own.put("port", Integer.toString(session.client().port()));
    own.put(SecureTransport.REQUIRED, onOrOff(transport.required()));
    return own;
  }

  private static String onOrOff(boolean on) {
    return on ? "ON" : "OFF";
  }
}
