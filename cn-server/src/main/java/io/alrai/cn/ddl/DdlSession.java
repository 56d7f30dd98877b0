package io.alrai.cn.ddl;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a DDL statement needs to know of the session that sent it.
 *
 * @param currentSchema empty for none
 * @param settings session variables that differ from a fresh connection's, name to SQL literal
 * @param user name of the account that is logged in
 * @param host host pattern of that account
 */
public record DdlSession(
    String currentSchema, Map<String, String> settings, String user, String host) {
  private static final String SETTING = "setting.";
  private static final String USER = "account.user";
  private static final String HOST = "account.host";

  /** Copies the map. */
  public DdlSession {
    settings = Map.copyOf(settings);
  }

  /** Whether double quotes are those of identifiers. */
  boolean ansiQuotes() {
    String mode = settings.getOrDefault("sql_mode", "").toUpperCase(Locale.ROOT);
    return mode.contains("ANSI");
  }

  /** Whether a backslash in a string is an ordinary character. */
  boolean isWithoutEscapes() {
    String mode = settings.getOrDefault("sql_mode", "").toUpperCase(Locale.ROOT);
    return mode.contains("NO_BACKSLASH_ESCAPES");
  }

  /** Whether foreign_key_checks is ON. */
  boolean checksForeignKeys() {
    String value = settings.getOrDefault("foreign_key_checks", "1");
    return !value.equals("0") && !value.toUpperCase(Locale.ROOT).contains("OFF");
  }

  /** As entries of a job's progress. */
  Map<String, String> toProgress() {
    Map<String, String> entries = new HashMap<>();
    settings.forEach((name, literal) -> entries.put(SETTING + name, literal));
    entries.put(USER, user);
    entries.put(HOST, host);
    return entries;
  }

  /** Back from a job's progress; older ones have no account, as no statement needed it. */
  static DdlSession fromProgress(String currentSchema, Map<String, String> progress) {
    Map<String, String> settings = new HashMap<>();
    progress.forEach((key, value) -> {
      if (key.startsWith(SETTING)) {
        settings.put(key.substring(SETTING.length()), value);
      }
    });
    return new DdlSession(
        currentSchema, settings, progress.getOrDefault(USER, ""), progress.getOrDefault(HOST, ""));
  }
}
