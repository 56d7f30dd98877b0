package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.util.List;
import java.util.regex.Pattern;

/** Tells from a server's log why it did not start. Pure. */
final class StartFailure {
  private static final int SHOWN_LINES = 12;

  /** First match wins: the first lines are the more telling ones. */
  private static final List<Sign> SIGNS =
      List.of(
          sign(
              "No space left on device|errno: 28\\b|OS errno 28\\b|error number 28\\b|disk is full",
              Reason.DISK_FULL,
              "the disk is full: free some space"),
          sign(
              "Bind on TCP/IP port: (Address already in use|Permission denied)"
                  + "|Do you already have another mysqld server running on port",
              Reason.PORT_TAKEN,
              "its TCP port is taken or may not be used: choose another"),
          sign(
              "Unable to lock \\./\\S+|Another process with pid \\d+ is using unix socket",
              Reason.DATA_DIRECTORY_LOCKED,
              "another mysqld uses the same data directory: stop it first"),
          sign(
              "unknown variable|unknown option|ambiguous option|option without preceding group"
                  + "|Error while setting value|requires an argument",
              Reason.BAD_OPTION,
              "it refuses one of its options"),
          sign(
              "errno: 13\\b|OS errno 13\\b|[Pp]ermission denied|not owned by|operating system error"
                  + " number 13\\b",
              Reason.PERMISSION,
              "it may not read or write its files: check their owner, and AppArmor or SELinux when"
                  + " the server is the distribution's"),
          sign(
              "Cannot downgrade|Downgrade is not supported|Invalid MySQL server downgrade|upgrade is not supported"
                  + "|Data Dictionary initialization failed|Database page corruption"
                  + "|corrupt(ed)? page|is corrupted|Failed to initialize DD Storage Engine",
              Reason.DATA_DIRECTORY_UNUSABLE,
              "its data directory is damaged or was written by another server version"),
          sign(
              "Cannot allocate memory|Out of memory",
              Reason.START_FAILED,
              "there is not enough memory: lower its buffer pool"));

  private StartFailure() {}

  private record Sign(Pattern pattern, Reason reason, String meaning) {}

  private static Sign sign(String pattern, Reason reason, String meaning) {
    return new Sign(Pattern.compile(pattern), reason, meaning);
  }

  /**
   * The exception to throw.
   *
   * @param what what could not be done
   * @param log what the server said in this run
   */
  static MysqldException of(String what, String log) {
    for (Sign sign : SIGNS) {
      if (sign.pattern().matcher(log).find()) {
        return new MysqldException(
            sign.reason(), what + ": " + sign.meaning() + ". The server said:\n" + shown(log));
      }
    }
    String said = log.isBlank() ? " and said nothing" : ". The server said:\n" + shown(log);
    return new MysqldException(Reason.START_FAILED, what + ": it ended while starting" + said);
  }

  /** Errors if there are any, else the last lines. */
  private static String shown(String log) {
    List<String> errors = log.lines().filter(line -> line.contains("[ERROR]")).toList();
    List<String> lines = errors.isEmpty() ? log.strip().lines().toList() : errors;
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }
}
