package io.alrai.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections that a script uses on one server: root's with the schema {@code script}, those of
 * others without one. One thread.
 */
final class ScriptSessions implements AutoCloseable {
  private final int port;
  private final String properties;
  private final Map<SqlScript.Sender, Connection> open = new HashMap<>();

  /** With properties of the connections, see {@link MiniCluster#connect(int, String, String)}. */
  ScriptSessions(int port, String properties) {
    this.port = port;
    this.properties = properties;
  }

  /** The sender's connection; made when it is first asked for. */
  Connection of(SqlScript.Sender sender) throws SQLException {
    Connection known = open.get(sender);
    if (known == null) {
      String schema = sender.user().equals("root") ? "script" : "";
      known = MiniCluster.connect(port, schema, properties, sender.user());
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
