package io.alrai.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections that a script uses on one server: root's with the script's schema, those of
 * others without one. One thread.
 */
final class ScriptSessions implements AutoCloseable {
  private final int port;
  private final String schema;
  private final String properties;
  private final Map<SqlScript.Sender, Connection> open = new HashMap<>();

  /** With properties of the connections, see {@link MiniCluster#connect(int, String, String)}. */
  ScriptSessions(int port, String schema, String properties) {
    this.port = port;
    this.schema = schema;
    this.properties = properties;
  }

  /** The sender's connection; made when it is first asked for. */
  Connection of(SqlScript.Sender sender) throws SQLException {
    Connection known = open.get(sender);
    if (known == null) {
      String current = sender.user().equals("root") ? schema : "";
      known = MiniCluster.connect(port, current, properties, sender.user());
      open.put(sender, known);
    }
    return known;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : open.values()) {
      connection.close();
    }
  }
}
