package io.alrai.cn.slowlog;

import io.alrai.cn.session.StatementPath;
import io.alrai.optimizer.api.inspect.HiddenSecrets;
import io.alrai.optimizer.api.text.LexicalMode;

/**
 * A statement that was slow. Text and names are as the client gave them.
 *
 * @param client who sent it
 * @param schema the current one when it began; empty for none
 * @param startMicros when it began, since 1970
 * @param nanos how long it took
 * @param figures what it did
 * @param path which way it took
 * @param text its beginning, in the session's character set; nobody changes it
 * @param cut whether that is not all of it
 * @param mode by which to read the text
 */
record SlowStatement(
    Client client,
    String schema,
    long startMicros,
    long nanos,
    SlowFigures figures,
    StatementPath path,
    byte[] text,
    boolean cut,
    LexicalMode mode) {
  private static final String CUT = " /* cut */";

  /**
   * Who sent it.
   *
   * @param account the matching one, as {@code user@host-pattern}
   * @param host where the client is
   */
  record Client(int id, String user, String account, String host) {
    /** As MySQL writes it: {@code account's user[user] @ host [address]}. */
    String userAtHost() {
      String matching = account.substring(0, Math.max(0, account.lastIndexOf('@')));
      boolean address = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
      return matching + "[" + user + "] @ " + (address ? " [" + host + "]" : host + " []");
    }
  }

  /** When it ended, in microseconds since 1970. */
  long endMicros() {
    return startMicros + nanos / 1000;
  }

  /** All but its text, which may have passwords. */
  SlowStatement withoutText() {
    return new SlowStatement(
        client, schema, startMicros, nanos, figures, path, new byte[0], cut, mode);
  }

  /** Its text for logs: without passwords. */
  String shown() {
    return HiddenSecrets.in(new String(text, mode.charset()).strip(), mode) + (cut ? CUT : "");
  }
}
