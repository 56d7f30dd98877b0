package io.alrai.cn.session;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.common.type.Collations.Collation;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.HashMap;
import java.util.Map;

/** The character set variables of a session, changed together. */
public final class SessionCharset {
  private SessionCharset() {}

  /** SET NAMES: client, connection and results. */
  public static void setNames(Session session, SettingsRegistry registry, Collation collation) {
    boolean initial = collation.name().equals(SessionSettings.DEFAULT_COLLATION);
    Map<String, String> changes = new HashMap<>();
    String charset = initial ? "" : "'" + collation.charset() + "'";
    changes.put("character_set_client", charset);
    changes.put("character_set_connection", charset);
    changes.put("character_set_results", charset);
    changes.put("collation_connection", initial ? "" : "'" + collation.name() + "'");
    session.variables().settings(registry.with(session.variables().settings(), changes));
    readAs(session, collation.charset());
  }

  /** Statement text comes in this character set from now on. */
  public static void readAs(Session session, String charset) {
    LexicalMode before = session.variables().lexicalMode();
    session
        .variables()
        .lexicalMode(
            new LexicalMode(
                SettingsCharset.javaCharset(charset),
                before.ansiQuotes(),
                before.noBackslashEscapes()));
  }
}
