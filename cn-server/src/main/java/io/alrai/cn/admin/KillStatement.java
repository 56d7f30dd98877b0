package io.alrai.cn.admin;

import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import java.nio.charset.StandardCharsets;

/** KILL. Waits for nothing; any thread. */
public final class KillStatement {
  private KillStatement() {}

  /**
   * Ends a session of this CN, or what it runs.
   *
   * @param killing who wants it
   * @param values of the statement
   * @throws AlraiException 1094 when there is none with that id, 1095 when it is another account's
   */
  public static void run(
      AdminStatement.Kill kill,
      SlotValues values,
      Session killing,
      SessionRegistry sessions,
      Catalog catalog) {
    String id =
        new String(TemplateText.render(kill.id(), values, "", killing), StandardCharsets.UTF_8);
    SessionRegistry.Entry victim =
        sessions
            .find(number(id))
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_NO_SUCH_THREAD, "Unknown thread id: " + id.strip()));
    PrivilegeCheck.requireOwner(killing, catalog, victim.session());
    if (kill.queryOnly()) {
      victim.killQuery();
    } else {
      victim.killConnection();
    }
  }

  private static int number(String text) {
    try {
      return (int) Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_THREAD, "Unknown thread id: " + text.strip(), e);
    }
  }
}
