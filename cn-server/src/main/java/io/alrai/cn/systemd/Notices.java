package io.alrai.cn.systemd;

import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process says of itself to its keeper, as in sd_notify(3): datagrams to the socket that
 * the environment names. Where it names none, nothing happens. A notice that cannot be given is
 * logged, and that is all. Blocking, for two seconds at most; any one thread.
 */
public final class Notices {
  private static final Logger log = LoggerFactory.getLogger(Notices.class);

  private final String socket;

  private Notices(String socket) {
    this.socket = socket;
  }

  /** To the socket that NOTIFY_SOCKET names. */
  public static Notices of(Map<String, String> environment) {
    return new Notices(environment.getOrDefault("NOTIFY_SOCKET", ""));
  }

  /** It is on its way; without this its keeper knows no more than that it runs. */
  public void begins(String sentence) {
    give(status(sentence));
  }

  /** It serves. */
  public void serves(String sentence) {
    give("READY=1\n" + status(sentence));
  }

  /** It was asked to end, and begins to. */
  public void ends(String sentence) {
    give("STOPPING=1\n" + status(sentence));
  }

  /** One line, whatever is in it: the next one would be another assignment. */
  private static String status(String sentence) {
    return "STATUS=" + sentence.replaceAll("\\R|\\p{Cntrl}", " ") + "\n";
  }

  private void give(String assignments) {
    if (socket.isEmpty()) {
      return;
    }
    try {
      NoticeSocket.send(socket, assignments);
    } catch (IOException e) {
      log.warn("systemd cannot be told at {}: {}", socket, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
