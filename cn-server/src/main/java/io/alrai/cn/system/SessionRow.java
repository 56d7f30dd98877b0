package io.alrai.cn.system;

import io.alrai.cn.ask.AskRow;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session of the cluster, as SHOW PROCESSLIST shows it.
 *
 * @param seconds for how long it does what it does
 */
public record SessionRow(
    long id,
    String user,
    String host,
    @Nullable String schema,
    String command,
    long seconds,
    String state,
    @Nullable String info) {

  /**
   * A session of this CN.
   *
   * @param mostInfo how many characters of its statement are shown
   */
  static SessionRow of(Session session, Activity activity, int mostInfo, long nowMillis) {
    String info = JsonTable.shortened(activity.statement(), mostInfo);
    return new SessionRow(
        session.client().connectionId(),
        session.user().login().user(),
        session.clientAddress(),
        session.schema().isEmpty() ? null : session.schema(),
        activity.state(),
        activity.seconds(nowMillis, session.idleness()),
        activity.waitsFor(),
        info.isEmpty() ? null : info);
  }

  /** What another CN has said. */
  static SessionRow of(AskRow row) {
    return new SessionRow(
        row.number(0),
        row.text(1),
        row.text(2),
        row.get(3),
        row.text(4),
        row.number(5),
        row.text(6),
        row.get(7));
  }

  AskRow told() {
    return AskRow.of(values().toArray());
  }

  /** In the order of SHOW PROCESSLIST's columns. */
  public List<@Nullable Object> values() {
    return Arrays.asList(id, user, host, schema, command, seconds, state, info);
  }
}
