package io.alrai.e2e.texts;

import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All texts that reach the mysqlds of a cluster, as their general logs have them. */
final class SentTexts implements AutoCloseable {
  private static final Pattern ENTRY =
      Pattern.compile("^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\s+(\\d+) (\\w[\\w ]*)\\t?(.*)$");

  /** An expression, which keeps what matters here, does not match. */
  private static final Pattern MODE =
      Pattern.compile("SESSION sql_mode=(?:(?:_utf8mb4)?'([\\w,]*)'|DEFAULT\\b)");

  private final List<String> dns;
  private final DnDoors doors;
  private final Path logs;

  /** How much of each log was taken. */
  private final Map<String, Integer> taken = new HashMap<>();

  /** sql_mode of connections. */
  private final Map<String, String> modes = new HashMap<>();

  /**
   * A text.
   *
   * @param ansiQuotes whether the mysqld took double quotes for a name's
   * @param noBackslashEscapes whether a backslash is one in strings
   */
  record Sent(String dn, String text, boolean ansiQuotes, boolean noBackslashEscapes) {}

  private SentTexts(List<String> dns, DnDoors doors, Path logs) {
    this.dns = dns;
    this.doors = doors;
    this.logs = logs;
  }

  /** Logs from now on, to files of this directory. */
  static SentTexts of(MiniCluster cluster, Path logs) {
    Path socket = cluster.cluster().agents().getFirst().supervisor().socketPath();
    List<String> dns =
        cluster.cluster().agents().stream().map(agent -> agent.lead().dn().toString()).toList();
    SentTexts sent =
        new SentTexts(dns, new DnDoors(socket.resolve("../..").normalize(), dns), logs);
    for (String dn : dns) {
      sent.run(dn, "SET GLOBAL log_raw = ON");
      sent.run(dn, "SET GLOBAL general_log_file = '" + logs.resolve(dn + ".log") + "'");
      sent.run(dn, "SET GLOBAL general_log = ON");
    }
    return sent;
  }

  private void run(String dn, String sql) {
    doors.hold(dn, sql).release();
  }

  /** What has come since the last call, in each mysqld's order. */
  List<Sent> take() throws IOException {
    List<Sent> all = new ArrayList<>();
    for (String dn : dns) {
      Path log = logs.resolve(dn + ".log");
      byte[] whole = Files.readAllBytes(log);
      int from = taken.getOrDefault(dn, 0);
      int to = whole.length;
      while (to > from && whole[to - 1] != '\n') {
        to--; // still being written
      }
      taken.put(dn, to);
      read(dn, new String(whole, from, to - from, StandardCharsets.UTF_8), all);
    }
    return all;
  }

  private void read(String dn, String log, List<Sent> into) {
    String connection = "";
    StringBuilder text = new StringBuilder();
    boolean query = false;
    for (String line : (log + "\n9999-01-01T00:00:00Z\t 0 End\t").split("\n", -1)) {
      Matcher entry = ENTRY.matcher(line);
      if (!entry.matches()) {
        text.append('\n').append(line);
        continue;
      }
      if (query) {
        into.add(sent(dn, connection, text.toString()));
      }
      connection = dn + " " + entry.group(1);
      String command = entry.group(2).strip();
      query = command.equals("Query") || command.equals("Prepare") || command.equals("Execute");
      if (command.equals("Connect")) {
        modes.remove(connection);
      }
      text.setLength(0);
      text.append(entry.group(3));
    }
  }

  private Sent sent(String dn, String connection, String text) {
    String now = modes.getOrDefault(connection, "");
    Matcher mode = MODE.matcher(text);
    if (text.startsWith("SET ") && mode.find()) {
      // the statement itself is read under the one before
      modes.put(connection, String.valueOf(mode.group(1)));
    }
    return new Sent(dn, text, now.contains("ANSI"), now.contains("NO_BACKSLASH_ESCAPES"));
  }

  @Override
  public void close() {
    for (String dn : dns) {
      run(dn, "SET GLOBAL general_log = OFF");
      run(dn, "SET GLOBAL log_raw = OFF");
    }
    doors.close();
  }
}
