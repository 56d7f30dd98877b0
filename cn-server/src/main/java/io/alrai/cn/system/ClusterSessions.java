package io.alrai.cn.system;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Privilege;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of all CNs that an account may see: without PROCESS those of its user. All CNs are
 * asked once, when they are first wanted, which blocks for a second at most. One thread.
 */
public final class ClusterSessions {
  private static final String KIND = "sessions";

  /** How long the loops of sessions may take to say what these do. */
  private static final long LOOP_MILLIS = 500;

  /** What SHOW PROCESSLIST without FULL shows of a statement. */
  private static final int SHORT_INFO = 100;

  /** How many characters of statements a CN tells in one answer, unless it has very many. */
  private static final int MOST_CHARACTERS = 3 << 20;

  private final SessionRegistry sessions;
  private final Access access;
  private final boolean full;
  private @Nullable Answers answers;

  /**
   * Those that an account sees.
   *
   * @param full with their whole statements
   */
  public ClusterSessions(SessionRegistry sessions, Access access, boolean full) {
    this.sessions = sessions;
    this.access = access;
    this.full = full;
  }

  /** Lets other CNs see this one's. */
  public static void tell(SessionRegistry sessions, LongSupplier wallMillis) {
    sessions.asks().answers(KIND, question -> own(sessions, question, wallMillis.getAsLong()));
  }

  private static List<AskRow> own(SessionRegistry sessions, AskRow question, long nowMillis) {
    String user = question.get(0);
    List<SessionRegistry.Entry> seen =
        sessions.all().stream()
            .filter(entry -> user == null || user.equals(entry.session().user().login().user()))
            .toList();
    int most =
        question.number(1) == 0
            ? SHORT_INFO
            : Math.max(SHORT_INFO, MOST_CHARACTERS / Math.max(1, seen.size()));
    Map<Session, AskRow> rows =
        sessions.work(
            seen,
            (session, work) -> SessionRow.of(session, work.activity(), most, nowMillis).told(),
            LOOP_MILLIS);
    return List.copyOf(rows.values());
  }

  /** By their ids. */
  public List<SessionRow> rows() {
    return answers().rows().stream()
        .map(SessionRow::of)
        .sorted(Comparator.comparingLong(SessionRow::id))
        .toList();
  }

  /** What is to be said of CNs that have not answered; empty while nobody was asked. */
  public List<Condition> warnings() {
    Answers known = answers;
    return known == null ? List.of() : known.warnings();
  }

  private Answers answers() {
    Answers known = answers;
    if (known == null) {
      String user = access.has(Privilege.PROCESS) ? null : access.user();
      known = sessions.asks().ask(KIND, AskRow.of(user, full ? 1 : 0));
      answers = known;
    }
    return known;
  }

  /** As the table of information_schema, or that of performance_schema. */
  String query(boolean ofPerformance) {
    JsonTable table =
        new JsonTable()
            .of("ID", "BIGINT UNSIGNED")
            .text("USER", 32)
            .text("HOST", 261)
            .text("DB", 64)
            .text("COMMAND", 16)
            .of("TIME", ofPerformance ? "BIGINT" : "INT")
            .text("STATE", 64)
            .longText("INFO");
    rows().forEach(row -> table.row(row.values()));
    return table.query();
  }
}
