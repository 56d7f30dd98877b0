package io.alrai.cn.blocked;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SessionWork;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which session has which connection of a mysqld, over all CNs. */
final class SessionConnections {
  private static final String KIND = "connections";

  /** How long a session's loop may take to report. */
  private static final long LOOP_MILLIS = 700;

  /** What a transaction has, and not only a statement. */
  private static final String IN_TRANSACTION = "T";

  /** How many characters of a statement are shown. */
  private static final int MOST_STATEMENT = 1_024;

  /**
   * A session.
   *
   * @param statement at work; null for none
   */
  record Owner(long session, @Nullable String statement) {}

  private final Map<String, Owner> owners = new HashMap<>();

  /**
   * Of what the CNs have said. The connection of a transaction is the leader's; one that is only at
   * work may be another mysqld's of the same number, for reads at a member that follows.
   */
  SessionConnections(Answers answers) {
    for (AskRow row : answers.rows()) {
      String name = name(row.text(1), row.number(2));
      Owner owner = new Owner(row.number(0), row.get(3));
      if (IN_TRANSACTION.equals(row.get(4))) {
        owners.put(name, owner);
      } else {
        owners.putIfAbsent(name, owner);
      }
    }
  }

  /** Asks all CNs. */
  static Answers ask(SessionRegistry sessions) {
    return sessions.asks().ask(KIND, AskRow.of());
  }

  /** Whose a connection is; empty for one of Alrai's own, and of a CN that does not answer. */
  Optional<Owner> owner(String dn, long connection) {
    return Optional.ofNullable(owners.get(name(dn, connection)));
  }

  private static String name(String dn, long connection) {
    return dn + ":" + connection;
  }

  /** Lets other CNs know those of this one. */
  static void tell(SessionRegistry sessions) {
    sessions.asks().answers(KIND, question -> own(sessions));
  }

  private static List<AskRow> own(SessionRegistry sessions) {
    List<AskRow> rows = new ArrayList<>();
    sessions
        .work(LOOP_MILLIS)
        .forEach((session, work) -> {
          work.open()
              .ifPresent(open ->
                  open.branches()
                      .forEach(part ->
                          rows.add(
                              row(
                                  session,
                                  work,
                                  part.dn().name(),
                                  part.connection(),
                                  IN_TRANSACTION))));
          for (Branch branch : work.atWork()) {
            rows.add(row(session, work, branch.dn().name(), branch.serverConnectionId(), null));
          }
        });
    return rows;
  }

  private static AskRow row(
      Session session, SessionWork work, String dn, long connection, @Nullable String held) {
    String statement = work.activity().statement();
    String shown =
        statement.length() <= MOST_STATEMENT ? statement : statement.substring(0, MOST_STATEMENT);
    return AskRow.of(
        session.client().connectionId(), dn, connection, shown.isEmpty() ? null : shown, held);
  }
}
