package io.alrai.cn.session;

import io.alrai.cn.settings.SecureTransport;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.optimizer.api.workload.Workload;
import io.alrai.optimizer.api.workload.WorkloadWish;
import java.util.Locale;
import java.util.Optional;

/** System variables that only the CN knows, or whose value is its own. */
public final class OwnVariables {
  /** {@code @@version_comment}: how clients recognise Alrai. */
  public static final String VERSION_COMMENT = "Alrai";

  /** {@code @@server_id}: that of one server, whichever mysqld is asked. */
  public static final long SERVER_ID = 1;

  /** {@code strong}: reads over several DNs see one snapshot; {@code eventual}: they need not. */
  public static final String READ_CONSISTENCY = "read_consistency";

  /** The largest stamp that the session wrote or read; takes that of a session at another CN. */
  public static final String SESSION_STAMP = "alrai_session_stamp";

  /** Whether the first updater of a row wins over transactions whose snapshot is older. */
  public static final String CONFLICTS = "snapshot_isolation_conflicts";

  /** Whether agents answer reads by the replies that they keep. */
  public static final String ROW_CACHE = "row_cache";

  /** Whether a CN counts statements by their digests. */
  public static final String STATEMENT_DIGESTS = "alrai_statement_digests";

  /** For how long a statement over rows may take, in milliseconds; 0 for no limit. */
  public static final String STATEMENT_TIMEOUT = "alrai_statement_timeout";

  /** A year. */
  private static final long MOST_TIMEOUT_MILLIS = 31_536_000_000L;

  /** {@code AUTO}, {@code TP} or {@code AP}: where SELECTs go that both stores can answer. */
  public static final String WORKLOAD_TYPE = "workload_type";

  private static final String AUTO = "AUTO";
  private static final String STRONG = "strong";
  private static final String EVENTUAL = "eventual";

  private OwnVariables() {}

  /** The session's {@value #READ_CONSISTENCY}. */
  public static String readConsistency(Session session) {
    return session.reads().eventual() ? EVENTUAL : STRONG;
  }

  /**
   * Whether a value of {@value #READ_CONSISTENCY} means eventual consistency.
   *
   * @throws AlraiException 1231 when it is none
   */
  public static boolean isEventual(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case STRONG -> false;
      case EVENTUAL -> true;
      default ->
          throw wrong(READ_CONSISTENCY, value, "; it is '" + STRONG + "' or '" + EVENTUAL + "'");
    };
  }

  /** The session's {@value #WORKLOAD_TYPE}. */
  public static String workloadType(Session session) {
    return session.own().workload().map(Workload::name).orElse(AUTO);
  }

  /**
   * A value of {@value #WORKLOAD_TYPE}; empty for AUTO.
   *
   * @throws AlraiException 1231 when it is none
   */
  public static Optional<Workload> workload(String value) {
    Optional<Workload> wish = WorkloadWish.ofVariable(value);
    if (wish.isEmpty() && !value.strip().equalsIgnoreCase(AUTO)) {
      throw wrong(WORKLOAD_TYPE, value, "; it is AUTO, TP or AP");
    }
    return wish;
  }

  /** Whether a variable is ON or OFF for a whole CN, or for sessions that begin there. */
  public static boolean isGlobalSwitch(String name) {
    return name.equals(SecureTransport.REQUIRED)
        || name.equals(CONFLICTS)
        || name.equals(ROW_CACHE)
        || name.equals(STATEMENT_DIGESTS);
  }

  /**
   * Whether a value of a variable that is ON or OFF means ON.
   *
   * @throws AlraiException 1231 when it is none
   */
  public static boolean isOn(String name, String value) {
    return truth(value).orElseThrow(() -> wrong(name, value, "; it is ON or OFF"));
  }

  /** What a value means that MySQL takes for a variable that is ON or OFF; empty for others. */
  public static Optional<Boolean> truth(String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "ON", "1", "TRUE" -> Optional.of(true);
      case "OFF", "0", "FALSE" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  /**
   * A value of {@value #STATEMENT_TIMEOUT}.
   *
   * @throws AlraiException 1231 when it is none
   */
  public static long timeoutMillis(String value) {
    String reason = "; it is 0 to " + MOST_TIMEOUT_MILLIS + ", in milliseconds";
    try {
      long millis = Long.parseLong(value.strip());
      if (millis >= 0 && millis <= MOST_TIMEOUT_MILLIS) {
        return millis;
      }
    } catch (NumberFormatException e) {
      throw wrong(STATEMENT_TIMEOUT, value, reason);
    }
    throw wrong(STATEMENT_TIMEOUT, value, reason);
  }

  /**
   * A value of {@value #SESSION_STAMP}.
   *
   * @throws AlraiException 1231 when it is none
   */
  public static HlcTimestamp stamp(String value) {
    try {
      return new HlcTimestamp(Long.parseLong(value));
    } catch (IllegalArgumentException e) {
      throw wrong(SESSION_STAMP, value, "; it is what another session's is");
    }
  }

  /**
   * Whether a client that sets session_track_system_variables to this wants to get its stamp.
   *
   * @param literal with quotes; empty for MySQL's default
   */
  static boolean tracksStamp(String literal) {
    for (String name : literal.replace("'", "").split(",", -1)) {
      if (name.strip().equals("*") || name.strip().equalsIgnoreCase(SESSION_STAMP)) {
        return true;
      }
    }
    return false;
  }

  /** Error 1231; the reason follows mysqld's own sentence. */
  public static AlraiException wrong(String name, String value, String reason) {
    return new AlraiException(
        ErrorCode.ER_WRONG_VALUE_FOR_VAR,
        "Variable '" + name + "' can't be set to the value of '" + value + "'" + reason);
  }
}
