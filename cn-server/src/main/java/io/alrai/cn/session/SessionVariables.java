package io.alrai.cn.session;

import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.settings.VariableLiteral;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A session's variables as mysqlds have to have them: system variables, user variables and seeds.
 * Owned as the session is.
 */
public final class SessionVariables {
  /** Learns of other system variables before they are in force. */
  interface Listener {
    void become(SessionSettings before, SessionSettings after);
  }

  private final CnVariables own;
  private final Listener listener;
  private final Map<String, String> ofUser = new HashMap<>();
  private Set<String> announced = Set.of();
  private SessionSettings settings;
  private SessionSettings ofBackends;
  private SessionSettings ofShards;
  private SessionSettings ofCopies;
  private LexicalMode lexicalMode = LexicalMode.DEFAULT;

  SessionVariables(CnVariables own, SessionSettings initial, Listener listener) {
    this.own = own;
    this.listener = listener;
    this.settings = initial;
    this.ofBackends = initial;
    this.ofShards = initial;
    this.ofCopies = initial;
  }

  /** With the global values. */
  void begin(SessionSettings initial) {
    settings(initial);
    lexicalMode = SettingsCharset.lexicalMode(initial);
  }

  void clearOfUser() {
    ofUser.clear();
  }

  /** System variables that differ from a fresh connection's. */
  public SessionSettings settings() {
    return settings;
  }

  /** Replaces them. */
  public void settings(SessionSettings changed) {
    listener.become(settings, changed);
    settings = changed;
    renew();
  }

  /** Takes over what else has changed. */
  void renew() {
    ofBackends = settings.withSeeds(own.seeds()).withUserVariables(ofUser).doubting(announced);
    ofShards = ofBackends.without("sql_select_limit");
    ofCopies = ofShards.without("character_set_results").without("sql_require_primary_key");
  }

  /**
   * What backends must have before they run a statement of this session: the system variables and
   * all user variables.
   */
  public SessionSettings ofBackends() {
    return ofBackends;
  }

  /** What they must have for statements that the CN made of the client's statement. */
  public SessionSettings ofShards() {
    return ofShards;
  }

  /**
   * What they must have for rows that the CN writes again: whatever the client wants results in,
   * these come in utf8mb4, which loses no character, and their copies need no key. Statements are
   * still in the client's character set.
   */
  public SessionSettings ofCopies() {
    return ofCopies;
  }

  /** How its statements' bytes read; follows character_set_client and sql_mode. */
  public LexicalMode lexicalMode() {
    return lexicalMode;
  }

  /** Replaces it. */
  public void lexicalMode(LexicalMode mode) {
    lexicalMode = mode;
  }

  /** User variables as SQL literals, by lower-case name without {@code @}. */
  public Map<String, String> ofUser() {
    return Collections.unmodifiableMap(ofUser);
  }

  /** Until this is called again, statements may assign these, by name, on connections. */
  public void announce(Collection<String> variables) {
    variables.forEach(name -> ofUser.putIfAbsent(name, VariableLiteral.NULL));
    announced = Set.copyOf(variables);
    renew();
  }

  /** Assigns user variables, given in the same form. */
  public void assign(Map<String, String> variables) {
    ofUser.putAll(variables);
    renew();
  }
}
